package mesh.execution.local;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import mesh.execution.local.Census.Member;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what uses more memory than its sandbox may. All processes of a sandbox count, whichever
 * command they came of, while one of its commands runs and is older than {@link #FIRST_LOOK}; what
 * is ended is the command that uses most, with its whole tree, or what an earlier one left behind.
 *
 * <p>It looks every {@link #SHORTEST} to {@link #LONGEST}, the sooner the less room there is. So
 * what allocates 2 GB/s is stopped before it has 0.2 GB more than it may on a machine where a look
 * takes a few milliseconds, and where processes share much, after another look of 30 ms for each
 * GiB; what is slower, accordingly less. Nothing is limited where there is no {@code /proc}.
 *
 * <p>One thread while there is something to look at, none otherwise.
 */
final class MemoryGuard {

  static final Duration FIRST_LOOK = Duration.ofMillis(100);
  static final String THREAD = "local-memory";

  private static final Logger log = LoggerFactory.getLogger(MemoryGuard.class);

  private static final Duration SHORTEST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofMillis(200);

  /** Between two looks of the thorough kind: longer than a process takes from its fork to exec. */
  private static final Duration PAUSE = Duration.ofMillis(5);

  /** What is taken to be as fast as a program can allocate: bytes for each nanosecond. */
  private static final long FASTEST = 2;

  /** Of the time, looking takes one part in so many. */
  private static final long PARTS = 10;

  private final Census census = new Census();
  private final Set<Watched> watched = new HashSet<>();
  private boolean awake;

  /**
   * A command that runs.
   *
   * @param limit bytes that all of its sandbox may use
   * @param end ends it with its tree, and says later that memory was why
   */
  record Watched(Member leader, long limit, Runnable end) {}

  synchronized void watch(Watched command) {
    watched.add(command);
    if (awake) {
      notifyAll();
    } else if (ProcessTable.EXISTS) {
      awake = true;
      Thread.ofPlatform().daemon().name(THREAD).start(this::run);
    }
  }

  synchronized void leave(Watched command) {
    watched.remove(command);
    notifyAll();
  }

  private void run() {
    try {
      var commands = next(List.of(), 0);
      while (!commands.isEmpty()) {
        commands = next(commands, look(commands));
      }
    } catch (InterruptedException _) {
      // Nobody interrupts it: the thread is its own.
      Thread.currentThread().interrupt();
    }
  }

  /** What to look at after a pause, which a newcomer cuts short; nothing if this is the end. */
  private synchronized List<Watched> next(List<Watched> seen, long pauseNanos)
      throws InterruptedException {
    var before = Set.copyOf(seen);
    var deadline = System.nanoTime() + pauseNanos;
    var rest = pauseNanos;
    while (rest > 0 && !watched.isEmpty() && before.containsAll(watched)) {
      wait(rest / 1_000_000, (int) (rest % 1_000_000));
      rest = deadline - System.nanoTime();
    }
    if (watched.isEmpty()) {
      // Said under the same lock, so that whoever comes next starts another thread.
      awake = false;
    }
    return List.copyOf(watched);
  }

  /** How long to wait before the next. */
  private long look(List<Watched> commands) {
    var begun = System.nanoTime();
    var room = Long.MAX_VALUE;
    try {
      var members = census.take(commands.stream().map(Watched::leader).toList());
      var bySandbox = members.stream().collect(groupingBy(Member::sandbox));
      for (var those :
          commands.stream().collect(groupingBy(it -> it.leader().sandbox())).entrySet()) {
        var there = bySandbox.getOrDefault(those.getKey(), List.of());
        room = Math.min(room, room(those.getValue(), there));
      }
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("memory of sandboxes could not be looked at");
    }
    var wanted = Math.max(room / FASTEST, PARTS * (System.nanoTime() - begun));
    return Math.clamp(wanted, SHORTEST.toNanos(), LONGEST.toNanos());
  }

  /** How many bytes a sandbox has left. */
  private static long room(List<Watched> commands, List<Member> members) {
    var limit = commands.stream().mapToLong(Watched::limit).max().orElse(Long.MAX_VALUE);
    var most = measured(members, Footprint::atMost);
    if (sum(most.values()) <= limit) {
      return limit - sum(most.values());
    }
    // One process cannot have counted anything twice.
    var certain = most.values().stream().anyMatch(it -> it > limit) && isOneFamily(members);
    var shares = certain ? most : shares(members);
    var left = limit - sum(shares.values());
    if (left < 0) {
      end(commands, shares);
    }
    return Math.max(left, 0);
  }

  private static boolean isOneFamily(List<Member> members) {
    return members.stream().map(Member::command).distinct().count() == 1;
  }

  /**
   * What each really holds. Between {@code vfork} and {@code exec} a child has all memory of its
   * parent and both are told all of it, so nobody counts who was not there a moment earlier.
   */
  private static Map<Member, Long> shares(List<Member> members) {
    var first = measured(members, Footprint::share);
    LockSupport.parkNanos(PAUSE.toNanos());
    var second = measured(members, Footprint::share);
    second.replaceAll((member, bytes) -> Math.min(bytes, first.getOrDefault(member, 0L)));
    return second;
  }

  private static Map<Member, Long> measured(List<Member> members, ToLongFunction<Long> measure) {
    return new HashMap<>(
        members.stream().collect(toMap(it -> it, it -> measure.applyAsLong(it.pid()))));
  }

  private static long sum(Collection<Long> bytes) {
    return bytes.stream().mapToLong(Long::longValue).sum();
  }

  private static void end(List<Watched> commands, Map<Member, Long> shares) {
    var byCommand = new HashMap<String, Long>();
    shares.forEach((member, bytes) -> byCommand.merge(member.command(), bytes, Long::sum));
    var largest =
        byCommand.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    var tree =
        shares.keySet().stream()
            .filter(it -> it.command().equals(largest))
            .map(Member::handle)
            .toList();
    // At once, since the search for the rest of the tree takes time, in which it would go on.
    tree.forEach(CLibrary::stop);
    log.atInfo()
        .addKeyValue("command", largest)
        .addKeyValue("bytes", byCommand.get(largest))
        .log("out of memory");
    commands.stream()
        .filter(it -> it.leader().command().equals(largest) && it.leader().handle().isAlive())
        .forEach(it -> it.end().run());
    // Those that were left behind; of a command's own nobody is there any more.
    tree.forEach(ProcessHandle::destroyForcibly);
  }
}
