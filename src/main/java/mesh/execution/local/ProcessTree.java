package mesh.execution.local;

import static java.util.stream.Collectors.toSet;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import mesh.execution.BackendException;
import mesh.execution.SandboxKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds and ends all that came of a command or runs in a sandbox: what carries its mark, what
 * descends from that, and what gave up both its mark and its parents but sits in the sandbox's
 * directory.
 *
 * <p>A process is known by its id together with the time it started, so one that got the id of
 * another is never hit.
 */
final class ProcessTree {

  private static final Logger log = LoggerFactory.getLogger(ProcessTree.class);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Duration QUICK = Duration.ofSeconds(1);

  private ProcessTree() {}

  /** Ends a command's processes, however often they fork meanwhile; gives up after 5 s. */
  static void endCommand(String mark, Process leader, Path folder) {
    if (!ProcessTable.EXISTS) {
      var _ = end(() -> descent(leader));
      return;
    }
    var since = ProcessTable.started(leader.pid());
    var _ =
        end(() -> {
          var table = ProcessTable.now();
          var found =
              table.withDescendants(it ->
                  it.carries(Surroundings.COMMAND, mark)
                      || (it.pid() == leader.pid() && leader.isAlive()));
          // Without the leader there is no telling since when strays are this command's.
          since.ifPresent(time -> found.addAll(table.strays(folder, time)));
          return found;
        });
  }

  /**
   * Ends everything that runs in a sandbox that nothing more can start in.
   *
   * @param quarters where its directories are by now
   * @param isAwake whether it was woken meanwhile, in which case what runs there is to be left
   *     alone
   * @throws BackendException.Unavailable if something outlives its end
   */
  static void endSandbox(SandboxKey key, List<Path> quarters, BooleanSupplier isAwake) {
    if (!ProcessTable.EXISTS) {
      return;
    }
    var ended =
        end(() -> {
          var table = ProcessTable.now();
          var found = table.withDescendants(it -> it.carries(Surroundings.SANDBOX, key.value()));
          quarters.forEach(folder -> found.addAll(table.strays(folder, 0)));
          // Asked after looking: who was seen although it came after the waking is not hit.
          return isAwake.getAsBoolean() ? Set.of() : found;
        });
    if (!ended) {
      throw new BackendException.Unavailable(
          "processes in sandbox " + key.value() + " did not end", Duration.ZERO, null);
    }
  }

  /** How many processes of a command are alive after its leader ended; 0 where none can be told. */
  static int survivors(String mark, Process leader, long nanosSinceStart) {
    if (!ProcessTable.EXISTS) {
      return 0;
    }
    // Ids are given out in turn, so what started since a moment ago is found among few.
    return nanosSinceStart < QUICK.toNanos()
        ? ProcessTable.countSince(leader.pid(), Surroundings.COMMAND, mark)
        : (int)
            ProcessTable.now().processes().stream()
                .filter(it -> it.carries(Surroundings.COMMAND, mark))
                .count();
  }

  /**
   * Stops what is found until nothing new is, then kills it, until nothing is found twice in a row.
   *
   * <p>Stopped first, since a process whose child or neighbour dies goes on to what it was to do
   * next; and what is stopped does not fork.
   *
   * @return whether nothing is left
   */
  private static boolean end(Supplier<Set<ProcessHandle>> search) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    var stopped = new HashSet<ProcessHandle>();
    var clean = 0;
    while (clean < 2) {
      var found = search.get();
      clean = found.isEmpty() ? clean + 1 : 0;
      if (ProcessTable.EXISTS && !stopped.containsAll(found)) {
        found.stream().filter(stopped::add).forEach(CLibrary::stop);
      } else {
        found.forEach(ProcessHandle::destroyForcibly);
      }
      if (System.nanoTime() > deadline) {
        found.forEach(ProcessHandle::destroyForcibly);
        log.atWarn().addKeyValue("processes", found.size()).log("processes outlived their end");
        return false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }

  private static Set<ProcessHandle> descent(Process leader) {
    return Stream.concat(Stream.of(leader.toHandle()), leader.descendants())
        .filter(ProcessHandle::isAlive)
        .collect(toSet());
  }
}
