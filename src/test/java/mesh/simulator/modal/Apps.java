package mesh.simulator.modal;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The applications sandboxes belong to, in the one environment there is. */
final class Apps {

  private final ConcurrentMap<String, String> ids = new ConcurrentHashMap<>();

  String create(String name) {
    Names.check("App", name);
    return ids.computeIfAbsent(name, _ -> Ids.next("ap"));
  }

  Optional<String> find(String name) {
    return Optional.ofNullable(ids.get(name));
  }

  boolean exists(String id) {
    return ids.containsValue(id);
  }
}
