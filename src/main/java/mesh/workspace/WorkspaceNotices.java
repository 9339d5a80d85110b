package mesh.workspace;

import java.util.List;
import java.util.Locale;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import mesh.run.Steps;
import mesh.settings.AgentRuntimes;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/** Tells a run's followers that a sandbox is being set up, so that a slow start is not silence. */
@Component
class WorkspaceNotices {

  private final AgentRuntimes runtimes;
  private final Steps steps;

  WorkspaceNotices(AgentRuntimes runtimes, Steps steps) {
    this.runtimes = runtimes;
    this.steps = steps;
  }

  /** Once for each sandbox that is made, with what its runtime cannot do. */
  void starting(Claim.Create claim) {
    var title =
        runtimes
            .find(claim.backend().value())
            .map(runtime -> runtime.descriptor().title())
            .orElse(claim.backend().value());
    boolean replaces = claim.occasion() == Claim.Occasion.REPLACED;
    var text =
        replaces
            ? claim.told() + " It is being set up on " + title + "."
            : "Setting up a sandbox on " + title + ". A reply follows when it is ready.";
    var notice =
        JsonNodeFactory.instance
            .objectNode()
            .put("notice", replaces ? "sandbox_replaced" : "sandbox_starting")
            .put("text", replaces || claim.told().isEmpty() ? text : claim.told() + " " + text);
    var without = notice.putArray("without");
    limits(claim.backend()).forEach(without::add);
    steps.notice(claim.lease().run(), notice);
  }

  /** A sandbox that was kept is awake. */
  void resumed(RunId run, Receipt receipt) {
    var notice =
        JsonNodeFactory.instance
            .objectNode()
            .put("notice", "sandbox_resumed")
            .put("text", receipt.text())
            .put("outcome", receipt.outcome().name().toLowerCase(Locale.ROOT));
    receipt.differences().forEach(notice.putArray("differences")::add);
    notice.putArray("without");
    steps.notice(run, notice);
  }

  private List<String> limits(BackendName name) {
    return runtimes.find(name.value()).stream()
        .flatMap(runtime -> runtime.capabilities().stream())
        .filter(capability -> !capability.present())
        .map(capability -> capability.withoutIt())
        .toList();
  }
}
