package mesh.settings;

import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Agent runtimes for operators. */
@RestController
@RequestMapping("/api/settings/agent-runtimes")
class RuntimeController {

  private final AgentRuntimes runtimes;

  RuntimeController(AgentRuntimes runtimes) {
    this.runtimes = runtimes;
  }

  @GetMapping
  Map<String, List<Map<String, @Nullable Object>>> list() {
    return Map.of("runtimes", runtimes.all().stream().map(RuntimeJson::runtime).toList());
  }

  @PutMapping("/{name}")
  RuntimeJson.Saved save(
      @PathVariable String name,
      @RequestBody RuntimeChange change,
      @AuthenticationPrincipal Operator operator) {
    SavedRuntime saved = runtimes.save(name, change, operator.actor());
    return new RuntimeJson.Saved(RuntimeJson.runtime(saved.runtime()), saved.resetAgents());
  }
}
