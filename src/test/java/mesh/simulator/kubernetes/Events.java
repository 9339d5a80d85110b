package mesh.simulator.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/** What the cluster says about objects, for people to read. */
final class Events {

  private final Store store;

  Events(Store store) {
    this.store = store;
  }

  void normal(ObjectNode about, String reason, String message) {
    record("Normal", about, reason, message);
  }

  void warn(ObjectNode about, String reason, String message) {
    record("Warning", about, reason, message);
  }

  private void record(String type, ObjectNode about, String reason, String message) {
    var metadata = about.path("metadata");
    var namespace = metadata.path("namespace").asString("default");
    var name =
        metadata.path("name").asString("") + "." + UUID.randomUUID().toString().substring(24);
    var event = new LinkedHashMap<String, Object>();
    event.put("kind", "Event");
    event.put("apiVersion", "v1");
    event.put("metadata", Map.of("name", name, "namespace", namespace));
    event.put(
        "involvedObject",
        Map.of(
            "kind", about.path("kind").asString(""),
            "apiVersion", about.path("apiVersion").asString(""),
            "namespace", namespace,
            "name", metadata.path("name").asString(""),
            "uid", metadata.path("uid").asString("")));
    event.put("type", type);
    event.put("reason", reason);
    event.put("message", message);
    event.put("source", Map.of("component", "kubelet", "host", Kubelet.NODE));
    event.put("firstTimestamp", Json.time(store.now()));
    event.put("lastTimestamp", Json.time(store.now()));
    event.put("count", 1);
    var object = Json.object(event);
    Store.identify(object, store.now());
    store.create(new Key(ResourceType.EVENT, namespace, name), object);
  }
}
