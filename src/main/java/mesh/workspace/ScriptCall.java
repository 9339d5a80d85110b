package mesh.workspace;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;

/**
 * One of Mesh's own scripts on its way through a sandbox. What it was given are arguments, never
 * part of the script.
 *
 * @param mostBytes of standard output that are kept
 */
record ScriptCall(SandboxScript script, List<String> arguments, Duration patience, int mostBytes) {

  private static final SandboxPath ROOT = new SandboxPath("/");

  ScriptCall {
    arguments = List.copyOf(arguments);
  }

  /**
   * Runs it to its end.
   *
   * @throws BackendException.Unavailable if the vendor lost its end
   */
  Ended run(Sandbox sandbox) throws InterruptedException {
    var argv = new ArrayList<>(List.of("/bin/sh", "-c", script.text(), "mesh"));
    argv.addAll(arguments);
    var printed = new ByteArrayOutputStream();
    var outcome =
        sandbox.exec(
            Command.of(argv, ROOT, patience),
            (channel, bytes) -> {
              if (channel == Channel.STDOUT && printed.size() < mostBytes) {
                var piece = new byte[Math.min(bytes.remaining(), mostBytes - printed.size())];
                bytes.get(piece);
                printed.writeBytes(piece);
              }
            });
    return switch (outcome) {
      case Outcome.Exited(var code, _) -> new Ended(code, printed.toByteArray());
      case Outcome.TimedOut() -> new Ended(Ended.TOO_LONG, printed.toByteArray());
      case Outcome.Signalled _,
          Outcome.OutOfMemory _,
          Outcome.Unknown _,
          Outcome.NoSuchDirectory _ ->
          throw new BackendException.Unavailable(
              "a look into the sandbox did not come to its end", Duration.ZERO, null);
    };
  }

  /**
   * What it left.
   *
   * @param code its exit code, or {@link #TOO_LONG}
   * @param printed not redacted
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Ended(int code, byte[] printed) {
    static final int TOO_LONG = -1;
  }
}
