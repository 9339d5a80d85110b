package mesh.workspace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.activity.ActorId;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Rehearsing;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.secret.SealBroken;
import mesh.settings.AgentRuntimes;
import mesh.settings.EgressUnreadable;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/**
 * "Test this runtime": one sandbox made, used and released on the real backend, with a timing per
 * step and the first error in words. Whatever fails, the sandbox is released; should that fail too,
 * the inventory comparison finds it, because it has no row.
 */
@Service
public class RuntimeTrial {

  private static final byte[] CONTENT = {'m', 'e', 's', 'h', 0, (byte) 0xFF, '\n'};

  /** Many times what a trial takes. */
  private static final Duration LIFETIME = Duration.ofHours(1);

  private final Backends backends;
  private final EgressRules egress;
  private final EgressProbe probe;
  private final AgentRuntimes runtimes;
  private final InstallationId installation;
  private final Supplier<UUID> ids;
  private final RuntimeTrials trials;

  RuntimeTrial(
      Backends backends,
      AgentRuntimes runtimes,
      EgressRules egress,
      EgressProbe probe,
      Installation installation,
      Supplier<UUID> ids,
      RuntimeTrials trials) {
    this.backends = backends;
    this.runtimes = runtimes;
    this.egress = egress;
    this.probe = probe;
    this.installation = new InstallationId(installation.id());
    this.ids = ids;
    this.trials = trials;
  }

  /**
   * One step's outcome. After one that failed there is none but a release, and the other things
   * that a backend can be asked beforehand.
   *
   * @param error null if it went well
   * @param note what was found, where there is more to say than that it went well; or null
   */
  public record Step(
      String step, boolean ok, long ms, @Nullable String error, @Nullable String note) {}

  /**
   * Tries a runtime, enabled or not, and puts on record how it went.
   *
   * @throws Problem 404 {@code runtime_unknown}; 409 {@code runtime_not_configured} or {@code
   *     runtime_rejected}
   */
  public List<Step> run(String name, ActorId by) throws InterruptedException {
    var runtime = known(name);
    var steps = new Trial(runtime, opened(runtime, by)).run();
    trials.record(runtime, steps, by);
    return steps;
  }

  private BackendName known(String name) {
    return runtimes
        .find(name)
        .map(setting -> setting.descriptor().name())
        .orElseThrow(
            () -> Problem.notFound("runtime_unknown", "There is no runtime '" + name + "'."));
  }

  private Backend opened(BackendName runtime, ActorId by) {
    try {
      return backends
          .named(runtime)
          .orElseThrow(() ->
              Problem.conflict(
                  "runtime_not_configured",
                  "Runtime '%s' lacks required settings: save them first.".formatted(runtime)));
    } catch (BackendException.Rejected refused) {
      var error = "its settings are refused: " + refused.getMessage();
      trials.recordClosed(runtime, error, by);
      throw Problem.conflict(
          "runtime_rejected",
          "Runtime '%s' refused its settings: %s".formatted(runtime, refused.getMessage()));
    } catch (SealBroken lost) {
      trials.recordClosed(runtime, "a stored secret does not open: enter it again", by);
      throw Problem.conflict(
          "runtime_rejected",
          "A stored secret of runtime '%s' does not open: enter it again.".formatted(runtime));
    }
  }

  private final class Trial {
    private final BackendName name;
    private final Backend backend;
    private final List<Step> steps = new ArrayList<>();
    private final List<Sandbox> acquired = new ArrayList<>();
    private boolean restricted;

    Trial(BackendName name, Backend backend) {
      this.name = name;
      this.backend = backend;
    }

    List<Step> run() throws InterruptedException {
      var spec = SandboxSpec.of(installation, ids.get(), 1, Size.SMALL, LIFETIME);
      if (rehearsed(spec) && step("acquire", () -> acquire(spec))) {
        var sandbox = acquired.getFirst();
        boolean _ =
            step("exec", () -> exec(sandbox))
                && step("write", () -> write(sandbox))
                && step("read", () -> read(sandbox))
                && (!restricted || step("egress", () -> egress(sandbox)));
        boolean _ = step("release", () -> Destruction.of(backend, sandbox.ref()));
      }
      return steps;
    }

    /** Everything that can be asked is asked, so that one look shows each reason. */
    private boolean rehearsed(SandboxSpec spec) throws InterruptedException {
      boolean well = true;
      if (backend instanceof Rehearsing rehearsing) {
        for (var check : rehearsing.checks(spec)) {
          well &= noted(check.name(), check.question()::ask);
        }
      }
      return well;
    }

    /** Under the policy that a workspace would have. */
    private void acquire(SandboxSpec spec) throws InterruptedException {
      try {
        var reach = egress.ofTrial(name);
        restricted = reach instanceof Egress.Allowlist;
        acquired.add(Acquisition.of(backend, spec, reach));
      } catch (EgressUnreadable unreadable) {
        throw new Unmet(String.valueOf(unreadable.getMessage()));
      }
    }

    private void egress(Sandbox sandbox) throws InterruptedException {
      try {
        var reached = probe.reached(sandbox);
        if (!reached.isEmpty()) {
          throw new Unmet(
              "the vendor took the list and does not keep it: from inside, %s answered"
                  .formatted(String.join(" and ", reached)));
        }
      } catch (EgressProbe.Unprobed unprobed) {
        throw new Unmet(String.valueOf(unprobed.getMessage()));
      }
    }

    private boolean step(String name, Action action) throws InterruptedException {
      return noted(
          name,
          () -> {
            action.run();
            return null;
          });
    }

    private boolean noted(String name, Noted action) throws InterruptedException {
      long started = System.nanoTime();
      String error = null;
      String note = null;
      try {
        note = action.run();
      } catch (BackendException | Unmet trouble) {
        error = String.valueOf(trouble.getMessage());
      }
      long ms = Duration.ofNanos(System.nanoTime() - started).toMillis();
      steps.add(new Step(name, error == null, ms, error, note));
      return error == null;
    }

    private static void exec(Sandbox sandbox) throws InterruptedException {
      var out = new StringBuilder();
      var outcome =
          sandbox.exec(
              Command.of(
                  List.of("sh", "-c", "echo mesh"), sandbox.project(), Duration.ofSeconds(60)),
              (_, bytes) -> {
                while (bytes.hasRemaining()) {
                  out.append((char) bytes.get());
                }
              });
      if (!outcome.equals(new Outcome.Exited(0, 0)) || !out.toString().equals("mesh\n")) {
        throw new Unmet(
            "echo ended as %s and printed %d characters".formatted(outcome, out.length()));
      }
    }

    private static void write(Sandbox sandbox) throws InterruptedException {
      var written = sandbox.write(sandbox.project().resolve("trial"), CONTENT, FileMode.KEEP);
      if (written instanceof FileWrite.Refused(var reason)) {
        throw new Unmet("the file was not written: " + reason.words());
      }
    }

    private static void read(Sandbox sandbox) throws InterruptedException {
      var read = sandbox.read(sandbox.project().resolve("trial"), 0, 1024);
      if (!(read instanceof FileRead.Content content) || !Arrays.equals(content.bytes(), CONTENT)) {
        throw new Unmet("the file read is not the file written");
      }
    }
  }

  private interface Action {
    void run() throws InterruptedException;
  }

  private interface Noted {
    @Nullable String run() throws InterruptedException;
  }

  private static final class Unmet extends RuntimeException {
    Unmet(String message) {
      super(message, null, false, false);
    }
  }
}
