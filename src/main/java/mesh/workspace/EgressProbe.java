package mesh.workspace;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Whether a policy holds, tried from inside a sandbox: nothing that is not on the list may answer.
 * A vendor that takes a policy and does not keep it is found out only so.
 */
@Component
class EgressProbe {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final List<String> destinations;

  /**
   * @param destinations what no list of this probe holds, as {@code host:port}: by default an
   *     address on the internet, the address at which clouds hand out credentials, and a name
   */
  EgressProbe(
      @Value("${mesh.egress.probe:1.1.1.1:443,169.254.169.254:80,www.example.com:443}")
          List<String> destinations) {
    this.destinations = List.copyOf(destinations);
  }

  /** What could be reached from a sandbox though it may not; empty if nothing. */
  List<String> reached(Sandbox sandbox) throws InterruptedException {
    List<String> argv =
        new ArrayList<>(List.of("sh", "-c", SandboxScript.PROBE.text(), "mesh-probe"));
    argv.addAll(destinations);
    var said = new ByteArrayOutputStream();
    var outcome =
        sandbox.exec(
            Command.of(argv, sandbox.project(), LIMIT),
            (channel, bytes) -> {
              if (channel == Channel.STDOUT) {
                var piece = new byte[bytes.remaining()];
                bytes.get(piece);
                said.writeBytes(piece);
              }
            });
    if (!outcome.equals(new Outcome.Exited(0, 0))) {
      throw new Unprobed(
          outcome instanceof Outcome.Exited(int code, int _) && code == NO_MEANS
              ? "whether the list is kept was not tried: the image has neither curl nor bash"
              : "whether the list is kept could not be tried: the probe ended as " + outcome);
    }
    return said.toString(StandardCharsets.UTF_8).lines().filter(destinations::contains).toList();
  }

  private static final int NO_MEANS = 3;

  /** The probe came to no result. */
  static final class Unprobed extends RuntimeException {
    Unprobed(String message) {
      super(message, null, false, false);
    }
  }
}
