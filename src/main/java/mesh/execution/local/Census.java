package mesh.execution.local;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who lives in which sandbox, taken again and again: of a process that was there the last time
 * nothing is read again. Not for several threads.
 */
final class Census {

  /** For how long the kernel gives no id to a second process: it hands out all others first. */
  private static final Duration UNTIL_REUSE = Duration.ofSeconds(1);

  /**
   * @param sandbox the key in its mark, or in that of whom it descends from
   * @param command likewise; empty if there is none
   */
  record Member(ProcessHandle handle, String sandbox, String command) {

    long pid() {
      return handle.pid();
    }
  }

  private final Map<Long, Optional<Member>> known = new HashMap<>();
  private long takenNanos = System.nanoTime();

  /**
   * @param leaders whose first look may have been while they were still Mesh's
   */
  Collection<Member> take(Collection<Member> leaders) {
    var now = System.nanoTime();
    if (now - takenNanos > UNTIL_REUSE.toNanos()) {
      known.clear();
    }
    takenNanos = now;
    var ids = new TreeSet<>(ProcessTable.ids());
    known.keySet().retainAll(ids);
    for (var leader : leaders) {
      if (ids.contains(leader.pid())) {
        known.put(leader.pid(), Optional.of(leader));
      }
    }
    ids.removeAll(known.keySet());
    admit(ids);
    return known.values().stream().flatMap(Optional::stream).toList();
  }

  private void admit(Set<Long> ids) {
    var others = new HashSet<ProcessTable.Running>();
    for (var id : ids) {
      ProcessTable.find(id).filter(it -> !place(it)).ifPresent(others::add);
    }
    // Where ids begin anew, a child's is smaller than its parent's.
    while (others.removeIf(this::place)) {}
    others.forEach(it -> known.put(it.pid(), Optional.empty()));
  }

  /** Whether it lives in a sandbox as far as is known yet. */
  private boolean place(ProcessTable.Running it) {
    var parent = known.getOrDefault(it.parent(), Optional.empty());
    var sandbox = it.value(Surroundings.SANDBOX).or(() -> parent.map(Member::sandbox));
    if (sandbox.isEmpty()) {
      return false;
    }
    var command = it.value(Surroundings.COMMAND).or(() -> parent.map(Member::command)).orElse("");
    known.put(it.pid(), Optional.of(new Member(it.handle(), sandbox.get(), command)));
    return true;
  }
}
