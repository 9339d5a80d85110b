package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import mesh.execution.Shell;
import mesh.run.RunId;
import mesh.run.RunRedactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Looks at what lies in a sandbox, before it falls asleep and after it wakes. */
@Component
class Manifests {

  private static final Logger log = LoggerFactory.getLogger(Manifests.class);

  /** Within an attempt to release, and not so long that a waking run would notice. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final RunRedactions redactions;

  Manifests(RunRedactions redactions) {
    this.redactions = redactions;
  }

  /** Empty if the backend runs no programs, or the look failed: nobody depends on it. */
  Optional<Manifest> look(Backend backend, Sandbox sandbox, RunId run) throws InterruptedException {
    if (!(backend instanceof Shell)) {
      return Optional.empty();
    }
    var printed = new ByteArrayOutputStream();
    var argv =
        List.of("sh", "-c", SandboxScript.MANIFEST.text(), "mesh", sandbox.project().value());
    try {
      var outcome =
          sandbox.exec(
              Command.of(argv, sandbox.project(), PATIENCE),
              (channel, bytes) -> {
                if (channel == Channel.STDOUT && printed.size() < Manifest.MAX_BYTES) {
                  var chunk = new byte[bytes.remaining()];
                  bytes.get(chunk);
                  printed.writeBytes(chunk);
                }
              });
      // What was printed until the time was over tells of repositories and tools.
      return (outcome instanceof Outcome.Exited(int code, _) && code == 0)
              || outcome instanceof Outcome.TimedOut
          ? Optional.of(Manifest.read(redactions.of(run).apply(printed.toString(UTF_8))))
          : Optional.empty();
    } catch (BackendException trouble) {
      log.atInfo().setCause(trouble).addKeyValue("run", run).log("no manifest");
      return Optional.empty();
    }
  }
}
