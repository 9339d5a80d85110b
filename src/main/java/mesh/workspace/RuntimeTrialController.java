package mesh.workspace;

import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.catalog.BackendName;
import mesh.settings.AgentRuntimes;
import mesh.web.Problem;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RuntimeTrialController {

  private final RuntimeTrial trial;
  private final AgentRuntimes runtimes;

  RuntimeTrialController(RuntimeTrial trial, AgentRuntimes runtimes) {
    this.trial = trial;
    this.runtimes = runtimes;
  }

  @PostMapping("/api/settings/agent-runtimes/{name}/test")
  Answer test(@PathVariable String name) throws InterruptedException {
    var runtime = known(name);
    try {
      var steps = trial.run(runtime);
      return new Answer(steps.stream().allMatch(RuntimeTrial.Step::ok), steps);
    } catch (IllegalStateException notConfigured) {
      throw Problem.conflict(
          "runtime_not_configured",
          "Runtime '%s' lacks required settings: save them first.".formatted(name));
    } catch (BackendException.Rejected refused) {
      throw Problem.conflict(
          "runtime_rejected",
          "Runtime '%s' refused its settings: %s".formatted(name, refused.getMessage()));
    }
  }

  private BackendName known(String name) {
    try {
      var backend = new BackendName(name);
      if (runtimes.find(backend.value()).isPresent()) {
        return backend;
      }
    } catch (IllegalArgumentException malformed) {
      // answered below like any name that is unknown
    }
    throw Problem.notFound("runtime_unknown", "There is no runtime '" + name + "'.");
  }

  record Answer(boolean ok, List<RuntimeTrial.Step> steps) {}
}
