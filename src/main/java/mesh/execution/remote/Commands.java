package mesh.execution.remote;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.SandboxPath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs commands in one vendor's sandboxes, each on a channel of its own. */
public final class Commands {

  private static final Logger log = LoggerFactory.getLogger(Commands.class);
  private static final int KILL = 9;
  private static final Duration SWEEP = Duration.ofSeconds(10);

  /** How long a slow sink may take over what a command printed before its timeout. */
  private static final Duration REMAINDER = Duration.ofSeconds(5);

  private static final SandboxPath ROOT = new SandboxPath("/");
  private static final List<String> ARGV = List.of("sh", "-c", Script.COMMAND.text(), "mesh");

  private final Exec exec;
  private final Dialect dialect;
  private final SecureRandom random;

  public Commands(Exec exec, Dialect dialect, SecureRandom random) {
    this.exec = exec;
    this.dialect = dialect;
    this.random = random;
  }

  Dialect dialect() {
    return dialect;
  }

  /** A name that nothing else has. */
  String unique() {
    return Input.hex(random);
  }

  /**
   * Runs a command as {@code Sandbox.exec} promises.
   *
   * @param stdin what the command reads, of any length
   */
  Outcome run(String name, Command command, byte[] stdin, OutputSink sink)
      throws InterruptedException {
    try (var channel = exec.open(name, ARGV)) {
      var input = Input.random(random);
      long deadline = System.nanoTime() + command.timeout().toNanos();
      var ending = new Ending(deadline, () -> sweep(name, channel, input));
      var conversation = new Conversation(channel, input.token(), sink);
      try {
        channel.send(List.of(input.header(command, stdin.length, dialect), stdin));
        return switch (conversation.until(deadline)) {
          case Conversation.Over(var report) when ending.callOff() ->
              reported(name, ending, conversation.finish(report));
          case Conversation.Lost(var why) when ending.callOff() -> lost(name, ending, why);
          default -> late(name, ending, conversation);
        };
      } catch (InterruptedException | RuntimeException | Error stop) {
        // Before anything is passed on: nothing of a cancelled command may go on running.
        note(name, ending.now());
        throw stop;
      }
    }
  }

  private static Outcome late(String name, Ending ending, Conversation conversation)
      throws InterruptedException {
    note(name, ending.now());
    // The script outlives what it runs and reports once more, behind the last output.
    conversation.drain(REMAINDER);
    return new Outcome.TimedOut();
  }

  /** A signal that nobody owns up to may have been the kernel's, for want of memory. */
  private Outcome reported(String name, Ending ending, Outcome outcome)
      throws InterruptedException {
    if (outcome instanceof Outcome.Signalled(int signal, int _)
        && signal == KILL
        && exec.ranOutOfMemory(name)) {
      note(name, ending.now());
      return new Outcome.OutOfMemory();
    }
    return outcome;
  }

  private Outcome lost(String name, Ending ending, String why) throws InterruptedException {
    if (exec.ranOutOfMemory(name)) {
      note(name, ending.now());
      return new Outcome.OutOfMemory();
    }
    // What it did nobody can say; that it does nothing more, we can see to.
    var trouble = ending.now();
    if (trouble instanceof BackendException.SandboxGone gone) {
      throw gone;
    }
    note(name, trouble);
    return new Outcome.Unknown(
        dialect.vendor()
            + " lost the command's result ("
            + why
            + "): it may have run, in part or whole");
  }

  private static void note(String name, @Nullable Exception trouble) {
    // With the sandbox went the command.
    if (trouble != null && !(trouble instanceof BackendException.SandboxGone)) {
      log.atWarn().addKeyValue("sandbox", name).setCause(trouble).log("a command was not killed");
    }
  }

  /**
   * Ends a command's whole tree by a second command that looks for its marks.
   *
   * @return why it could not be done; null if it was
   */
  private @Nullable Exception sweep(String name, ExecChannel swept, Input input) {
    var argv = List.of("sh", "-c", Script.SWEEP.text(), "mesh", input.mark(), input.limit());
    try (var channel = exec.open(name, ARGV)) {
      var own = Input.random(random);
      channel.send(List.of(own.header(Command.of(argv, ROOT, SWEEP), 0, dialect)));
      var conversation = new Conversation(channel, own.token(), (_, _) -> {});
      var end = conversation.until(System.nanoTime() + SWEEP.toNanos());
      if (end instanceof Conversation.Over(ReportFilter.Ended(int status, int still))
          && status == 0) {
        return null;
      }
      exec.kill(name, swept);
      return new IllegalStateException("the sweep ended with " + end);
    } catch (BackendException | InterruptedException trouble) {
      return trouble;
    }
  }
}
