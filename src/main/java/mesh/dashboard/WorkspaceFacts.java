package mesh.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Spoken;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.run.Run;
import mesh.workspace.WorkspaceLedger;
import mesh.workspace.WorkspaceState;
import mesh.workspace.WorkspaceView;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** What the head of a run's page says of its workspace. */
@Component
class WorkspaceFacts {

  private final WorkspaceLedger ledger;
  private final RuntimeCatalog catalog;
  private final Agents agents;

  WorkspaceFacts(WorkspaceLedger ledger, RuntimeCatalog catalog, Agents agents) {
    this.ledger = ledger;
    this.catalog = catalog;
    this.agents = agents;
  }

  /** None for a run without a row. */
  List<Fact> facts(Run run) {
    return ledger.ofRun(run.id()).map(it -> facts(run, it)).orElse(List.of());
  }

  /** Whether nothing more happens to the workspace of a run that has ended. */
  boolean settled(Run run) {
    return ledger
        .ofRun(run.id())
        .map(it ->
            switch (it.state()) {
              case CREATING, READY, RELEASING -> false;
              case PENDING, HELD, RELEASED, LOST, STRANDED -> true;
            })
        .orElse(true);
  }

  private List<Fact> facts(Run run, WorkspaceView workspace) {
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "Compute",
            Spoken.compute(workspace.computeSeconds()),
            agents
                .find(run.agent())
                .map(Agent::maxComputeSeconds)
                .map(WorkspaceFacts::of)
                .orElse(""),
            false));
    String kind = workspace.backendKind();
    if (kind != null) {
      facts.add(runtime(kind, Objects.requireNonNullElse(workspace.size(), "")));
    }
    facts.add(state(workspace));
    JsonNode egress = workspace.egress();
    if (egress != null) {
      facts.add(network(egress));
    }
    return facts;
  }

  private static String of(int seconds) {
    return "of " + Spoken.duration(Duration.ofSeconds(seconds));
  }

  private Fact runtime(String kind, String size) {
    String sized = size.isEmpty() ? "" : "size " + size;
    return catalog
        .find(new BackendName(kind))
        .map(it -> new Fact("Runtime", it.title(), sized + " · " + isolation(it), false))
        // A kind that this build no longer knows; the row keeps its name as evidence.
        .orElseGet(() -> new Fact("Runtime", kind, sized, true));
  }

  static String isolation(BackendDescriptor runtime) {
    return switch (runtime.isolation()) {
      case DIRECTORY -> "only a directory";
      case NAMESPACE -> "namespaces";
      case CONTAINER -> "container";
      case KERNEL_EMULATION -> "emulated kernel";
      case MICROVM -> "micro VM";
    };
  }

  private static Fact state(WorkspaceView workspace) {
    WorkspaceState state = workspace.state();
    String why =
        switch (state) {
          case PENDING -> "made when a tool needs it";
          case RELEASING, STRANDED -> Objects.requireNonNullElse(workspace.releaseError(), "");
          case CREATING, READY, HELD -> "";
          case RELEASED, LOST -> Objects.requireNonNullElse(workspace.releaseReason(), "");
        };
    String word = state.word();
    return new Fact(
        "Workspace",
        word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1),
        VisibleText.line(why.replace('_', ' ')),
        false);
  }

  private static Fact network(JsonNode egress) {
    if (egress.path("mode").asString("").equals("open")) {
      var why =
          egress.path("uncontrolled").asBoolean(false)
              ? "any host: this runtime cannot restrict"
              : "any host";
      return new Fact("Network", "Open", why, false);
    }
    var grade = egress.path("grade").asString("");
    return new Fact(
        "Network",
        "Allowlist",
        Spoken.count(egress.path("domains").size(), "host", "hosts")
            + (grade.isEmpty() ? "" : ", enforced by " + EgressWords.grade(grade)),
        false);
  }
}
