package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;

/** What a command did, and how long the call took. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Transcript(Outcome outcome, byte[] stdout, byte[] stderr, Duration took) {

  static Transcript of(Sandbox sandbox, Command command) throws InterruptedException {
    var recorder = new Recorder();
    var start = System.nanoTime();
    var outcome = sandbox.exec(command, recorder);
    var took = Duration.ofNanos(System.nanoTime() - start);
    return new Transcript(outcome, recorder.stdout(), recorder.stderr(), took);
  }

  String out() {
    return new String(stdout, UTF_8);
  }

  String err() {
    return new String(stderr, UTF_8);
  }

  /** The exit code; fails if the command did not exit by itself. */
  int code() {
    assertThat(outcome).as(this::err).isInstanceOf(Outcome.Exited.class);
    return ((Outcome.Exited) outcome).code();
  }

  /** Fails unless the command exited with 0. */
  Transcript succeeded() {
    assertThat(code()).as(this::err).isZero();
    return this;
  }

  /** Keeps all output, and can be looked at while it grows. */
  static final class Recorder implements OutputSink {
    private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

    @Override
    public void accept(Channel channel, ByteBuffer bytes) {
      var copy = new byte[bytes.remaining()];
      bytes.get(copy);
      (channel == Channel.STDOUT ? stdout : stderr).writeBytes(copy);
    }

    byte[] stdout() {
      return stdout.toByteArray();
    }

    byte[] stderr() {
      return stderr.toByteArray();
    }
  }
}
