package mesh.execution.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.OutputSink.Channel;
import mesh.execution.SandboxKey;
import org.jspecify.annotations.Nullable;

/**
 * One command from start to end. The calling thread hands output on; three helpers read the two
 * pipes and wait for the leader or its deadline, so that neither a stuck sink nor a stuck pipe puts
 * the deadline off.
 */
final class Execution {

  static final File NOTHING = new File("/dev/null");

  private static final int MOST_ATTEMPTS = 20;

  private final SandboxFolder folder;
  private final ExecutorService threads;
  private final Set<Execution> running;
  private final Memory memory;
  private final String mark = Marks.next();
  private final BlockingQueue<Relay.Happening> happenings = new LinkedBlockingQueue<>();
  private volatile @Nullable Process process;

  Execution(SandboxFolder folder, ExecutorService threads, Set<Execution> running, Memory memory) {
    this.folder = folder;
    this.memory = memory;
    this.threads = threads;
    this.running = running;
  }

  boolean isIn(SandboxKey key) {
    return folder.key().equals(key);
  }

  Outcome run(Command command, OutputSink sink) throws InterruptedException {
    var directory = HostText.path(command.directory().value());
    if (!isUsable(directory)) {
      return new Outcome.NoSuchDirectory();
    }
    var surroundings = new Surroundings(folder, mark);
    var refusal = surroundings.programs().refusal(command.argv().getFirst(), directory);
    if (refusal.isPresent()) {
      return refused(refusal.get(), sink);
    }
    running.add(this);
    try {
      return start(command, directory, surroundings, sink);
    } finally {
      running.remove(this);
    }
  }

  private Outcome start(Command command, Path directory, Surroundings surroundings, OutputSink sink)
      throws InterruptedException {
    var begun = System.nanoTime();
    Started started;
    try {
      started = launch(command, surroundings, directory);
    } catch (IOException e) {
      return notStarted(e, command, directory, sink);
    }
    process = started.leader();
    try {
      threads.execute(started.stdout());
      threads.execute(started.stderr());
      threads.execute(() -> guard(started, begun + command.timeout().toNanos()));
      // Released while it started: whoever released it may not have seen it yet.
      folder.check();
      var timedOut = new Relay(happenings, sink).run();
      return outcome(started.leader(), timedOut, begun);
    } catch (InterruptedException | RuntimeException | Error e) {
      var interrupted = Thread.interrupted();
      end();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      throw e;
    } finally {
      started.stdout().discard();
      started.stderr().discard();
    }
  }

  private record Started(Process leader, Outlet stdout, Outlet stderr) {}

  /**
   * A program that was just written may seem busy for a moment: a process that another thread is
   * starting holds a copy of the writer's open file until it becomes what it is to be.
   */
  private Started launch(Command command, Surroundings surroundings, Path directory)
      throws IOException, InterruptedException {
    for (var attempt = 1; ; attempt++) {
      try {
        return tryToLaunch(command, surroundings, directory);
      } catch (IOException e) {
        if (StartFailure.of(e) != StartFailure.BUSY || attempt == MOST_ATTEMPTS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(attempt);
      }
    }
  }

  private Started tryToLaunch(Command command, Surroundings surroundings, Path directory)
      throws IOException {
    try (var out = Pipe.open();
        var err = Pipe.open();
        var in = StandardInput.of(command.stdin(), folder)) {
      var leader =
          surroundings
              .builder(HostText.arguments(command.argv()), directory)
              .redirectInput(in.file())
              .redirectOutput(out.target())
              .redirectError(err.target())
              .start();
      return new Started(
          leader,
          new Outlet(Channel.STDOUT, out.keep(), happenings),
          new Outlet(Channel.STDERR, err.keep(), happenings));
    }
  }

  /** Waits for the leader, and ends the tree if it is late. */
  private void guard(Started started, long deadline) {
    var leader = started.leader();
    var timedOut = false;
    try {
      timedOut = !memory.waitFor(leader, member(leader), deadline, this::endTree);
      if (timedOut) {
        end();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      started.stdout().leaderExited();
      started.stderr().leaderExited();
      happenings.add(new Relay.LeaderExited(timedOut));
    }
  }

  private Census.Member member(Process leader) {
    return new Census.Member(leader.toHandle(), folder.key().value(), mark);
  }

  /** Ends the whole tree, also what left it, for a reason of Mesh's own. */
  void end() {
    memory.endsOtherwise();
    endTree();
  }

  private void endTree() {
    var leader = process;
    if (leader != null) {
      ProcessTree.endCommand(mark, leader, folder.path());
    }
  }

  private Outcome outcome(Process leader, boolean timedOut, long begun) {
    if (memory.ranOut()) {
      return new Outcome.OutOfMemory();
    }
    if (timedOut) {
      return new Outcome.TimedOut();
    }
    var outcome =
        Outcome.ofStatus(
            leader.exitValue(), ProcessTree.survivors(mark, leader, System.nanoTime() - begun));
    if (outcome instanceof Outcome.Signalled signalled) {
      folder.check();
      return memory.isWhy(signalled) ? new Outcome.OutOfMemory() : outcome;
    }
    return outcome;
  }

  private static Outcome refused(Programs.Refusal refusal, OutputSink sink) {
    sink.accept(Channel.STDERR, ByteBuffer.wrap(refusal.text().getBytes(UTF_8)).asReadOnlyBuffer());
    return new Outcome.Exited(refusal.code(), 0);
  }

  private Outcome notStarted(IOException e, Command command, Path directory, OutputSink sink) {
    folder.check();
    if (!isUsable(directory)) {
      return new Outcome.NoSuchDirectory();
    }
    var program = command.argv().getFirst();
    return switch (StartFailure.of(e)) {
      case MISSING -> refused(Programs.Refusal.missing(program), sink);
      case NOT_EXECUTABLE -> refused(Programs.Refusal.notExecutable(program), sink);
      case BUSY, OTHER ->
          throw new BackendException.Unavailable(
              "the command could not be started: " + StartFailure.words(e), Duration.ZERO, e);
    };
  }

  private static boolean isUsable(Path directory) {
    return Files.isDirectory(directory) && Files.isExecutable(directory);
  }
}
