package mesh.harness;

import java.util.Optional;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.Runs;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;

/** Tools that only the loop can wait for. */
@Component
class DrivenOnly {

  private final Runs runs;

  DrivenOnly(Runs runs) {
    this.runs = runs;
  }

  Optional<ToolRefusal.NotPossible> refusal(RunId run) {
    return runs.find(run).filter(it -> it.mode() == RunMode.HARNESS).isPresent()
        ? Optional.empty()
        : Optional.of(
            new ToolRefusal.NotPossible(
                "driven_elsewhere",
                "Only runs that Mesh drives can wait: your own program can ask or start runs itself."));
  }
}
