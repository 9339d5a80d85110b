package mesh.workspace;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.SandboxPath;

/**
 * One command's grant on its way: the file, the wrapper around the command that takes it, and the
 * line in which the wrapper says that it could not. Used by one thread.
 *
 * @param token known to the wrapper alone
 */
record Grant(SandboxPath file, String token) {

  private static final int CANNOT_EXECUTE = 126;

  /** The same command, in a wrapper that passes its arguments on as they are. */
  Command wrap(Command command) {
    return command.in(
        List.of("/bin/sh", "-c", SandboxScript.GRANTED.text(), "mesh", file.value(), token));
  }

  /** Passes output on, but for the wrapper's line. */
  Listener listen(OutputSink output) {
    return new Listener(output, ("mesh-grant " + token + " ").getBytes(US_ASCII));
  }

  /** What comes out of the wrapper. */
  static final class Listener implements OutputSink {

    private static final int LONGEST = 200;

    private final OutputSink output;
    private final byte[] prefix;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean passing;

    private Listener(OutputSink output, byte[] prefix) {
      this.output = output;
      this.prefix = prefix;
    }

    @Override
    public void accept(Channel channel, ByteBuffer bytes) {
      if (channel == Channel.STDOUT || passing) {
        output.accept(channel, bytes);
        return;
      }
      while (bytes.hasRemaining() && held.size() < LONGEST) {
        held.write(bytes.get());
        if (!mayBeTheLine()) {
          pass();
          output.accept(channel, bytes);
          return;
        }
      }
      if (bytes.hasRemaining()) {
        pass();
        output.accept(channel, bytes);
      }
    }

    private boolean mayBeTheLine() {
      int at = held.size() - 1;
      return at >= prefix.length || held.toByteArray()[at] == prefix[at];
    }

    private void pass() {
      passing = true;
      if (held.size() > 0) {
        output.accept(Channel.STDERR, ByteBuffer.wrap(held.toByteArray()).asReadOnlyBuffer());
      }
    }

    /**
     * Why the wrapper did not run the command; empty if it did. To be called when the command is
     * over.
     */
    Optional<String> refusal(Outcome outcome) {
      if (!passing
          && held.size() > prefix.length
          && outcome instanceof Outcome.Exited(var code, _)
          && code == CANNOT_EXECUTE) {
        return Optional.of(held.toString(US_ASCII).substring(prefix.length).strip());
      }
      if (!passing) {
        pass();
      }
      return Optional.empty();
    }
  }
}
