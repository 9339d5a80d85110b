package mesh.workspace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.Function;
import mesh.execution.BackendException;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import mesh.telemetry.Stage;
import mesh.telemetry.Subject;
import mesh.telemetry.Telemetry;
import mesh.tool.ToolRefusal;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Has what is done with workspaces, and what is asked of vendors, measured and traced. */
@Component
class WorkspaceStages {

  private final Telemetry telemetry;
  private final Counter redactions;

  WorkspaceStages(Telemetry telemetry, MeterRegistry meters) {
    this.telemetry = telemetry;
    this.redactions =
        Counter.builder("mesh.workspace.redactions")
            .description("Markers that stand in output in place of secrets")
            .register(meters);
  }

  /** So many markers were put into what an agent is shown. */
  void redacted(long markers) {
    redactions.increment((double) markers);
  }

  /**
   * Something done with a workspace.
   *
   * @param outcome how it ended, one of a closed set of words, if it threw nothing
   */
  <T> T of(String name, Lease lease, Function<T, String> outcome, Body<T> body)
      throws InterruptedException {
    return within(about(name, lease), outcome, body);
  }

  /** The same, tagged with the backend that has it. */
  <T> T of(String name, BackendName backend, Lease lease, Function<T, String> outcome, Body<T> body)
      throws InterruptedException {
    return within(about(name, lease).tag("backend", backend.value()), outcome, body);
  }

  private Stage about(String name, Lease lease) {
    return telemetry
        .begin(name)
        .about(Subject.RUN, lease.run())
        .about(Subject.WORKSPACE, lease.workspace());
  }

  /**
   * One attempt to end a sandbox. The caller closes it and says how it went.
   *
   * @param backend null if there never was one
   */
  Stage release(WorkspaceId workspace, RunId run, @Nullable String backend) {
    return telemetry
        .begin("mesh.workspace.release")
        .tag("backend", backend == null ? "none" : backend)
        .about(Subject.RUN, run)
        .about(Subject.WORKSPACE, workspace);
  }

  /**
   * One call of a vendor's adapter.
   *
   * @param call the contract's word for it
   */
  <T> T vendor(BackendName backend, String call, Function<T, String> outcome, Body<T> body)
      throws InterruptedException {
    return within(
        telemetry.begin("mesh.execution.call").tag("backend", backend.value()).tag("call", call),
        outcome,
        body);
  }

  private static <T> T within(Stage begun, Function<T, String> outcome, Body<T> body)
      throws InterruptedException {
    try (var stage = begun) {
      try {
        var result = body.get();
        stage.outcome(outcome.apply(result));
        return result;
      } catch (RuntimeException | InterruptedException trouble) {
        stage.outcome(word(trouble));
        if (trouble instanceof ToolRefusal refusal) {
          stage.code(refusal.code());
        }
        throw trouble;
      }
    }
  }

  /** Who can help, of vendors' troubles as of all others. */
  static String word(Exception trouble) {
    return switch (trouble) {
      case BackendException.Unavailable _ -> "unavailable";
      case BackendException.Rejected _ -> "rejected";
      case BackendException.SandboxGone _ -> "gone";
      case BackendException.Unexpected _ -> "unexpected";
      case ToolRefusal _ -> "refused";
      case Workspace.Superseded _ -> "superseded";
      case InterruptedException _ -> "cancelled";
      default -> "failed";
    };
  }

  /** What is done meanwhile. */
  interface Body<T> {
    T get() throws InterruptedException;
  }
}
