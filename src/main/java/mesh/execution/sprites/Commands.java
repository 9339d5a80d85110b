package mesh.execution.sprites;

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

/** Runs commands in sprites, each on a connection of its own. */
final class Commands {

  private static final Logger log = LoggerFactory.getLogger(Commands.class);
  private static final Duration SWEEP = Duration.ofSeconds(10);

  /** How long a slow sink may take over what a command printed before its timeout. */
  private static final Duration REMAINDER = Duration.ofSeconds(5);

  private static final SandboxPath ROOT = new SandboxPath("/");

  private final Connector connector;
  private final Residents residents;
  private final SecureRandom random;
  private final Duration margin;

  /**
   * @param margin after a command's timeout, until it ends even if Mesh stands still
   */
  Commands(Connector connector, Residents residents, SecureRandom random, Duration margin) {
    this.connector = connector;
    this.residents = residents;
    this.random = random;
    this.margin = margin;
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
    try (var session = connector.open(name)) {
      var input = Input.random(random);
      long deadline = System.nanoTime() + command.timeout().toNanos();
      var ending = new Ending(deadline, () -> sweep(name, session, input));
      var conversation = new Conversation(session, input.token(), sink);
      try {
        session.send(List.of(input.header(command, margin), stdin));
        return switch (conversation.until(deadline)) {
          case Conversation.Over(var report) when ending.callOff() -> conversation.finish(report);
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

  private static Outcome lost(String name, Ending ending, String why) {
    // What it did nobody can say; that it does nothing more, we can see to.
    var trouble = ending.now();
    if (trouble instanceof BackendException.SandboxGone gone) {
      throw gone;
    }
    note(name, trouble);
    return new Outcome.Unknown(
        "Fly Sprites lost the command's result (" + why + "): it may have run, in part or whole");
  }

  private static void note(String name, @Nullable Exception trouble) {
    // With the sprite went the command.
    if (trouble != null && !(trouble instanceof BackendException.SandboxGone)) {
      log.atWarn().addKeyValue("sprite", name).setCause(trouble).log("a command was not killed");
    }
  }

  /**
   * Ends a command's whole tree by a second command that looks for its marks.
   *
   * @return why it could not be done; null if it was
   */
  private @Nullable Exception sweep(String name, Session swept, Input input) {
    var argv = List.of("sh", "-c", Script.SWEEP.text(), "mesh", input.mark(), input.limit());
    try (var session = connector.open(name)) {
      var own = Input.random(random);
      session.send(List.of(own.header(Command.of(argv, ROOT, SWEEP), margin)));
      var conversation = new Conversation(session, own.token(), (channel, bytes) -> {});
      var end = conversation.until(System.nanoTime() + SWEEP.toNanos());
      if (end instanceof Conversation.Over(ReportFilter.Ended(int status, int still))
          && status == 0) {
        return null;
      }
      residents.kill(name, swept.id().getNow(""));
      return new IllegalStateException("the sweep ended with " + end);
    } catch (BackendException | InterruptedException trouble) {
      return trouble;
    }
  }
}
