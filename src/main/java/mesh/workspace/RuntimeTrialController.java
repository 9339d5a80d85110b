package mesh.workspace;

import java.util.List;
import mesh.access.Operator;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RuntimeTrialController {

  private final RuntimeTrial trial;

  RuntimeTrialController(RuntimeTrial trial) {
    this.trial = trial;
  }

  @PostMapping("/api/settings/agent-runtimes/{name}/test")
  Answer test(@PathVariable String name, @AuthenticationPrincipal Operator operator)
      throws InterruptedException {
    var steps = trial.run(name, operator.actor());
    return new Answer(steps.stream().allMatch(RuntimeTrial.Step::ok), steps);
  }

  record Answer(boolean ok, List<RuntimeTrial.Step> steps) {}
}
