package mesh.agent;

import java.util.Map;
import mesh.access.Operator;
import mesh.web.Cursor;
import mesh.web.Limit;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Agents for operators. */
@RestController
@RequestMapping("/api/agents")
class AgentController {

  private final Agents agents;

  AgentController(Agents agents) {
    this.agents = agents;
  }

  @GetMapping
  Map<String, @Nullable Object> list(
      @RequestParam(required = false) @Nullable Cursor cursor,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit) {
    return agents.newest(cursor, limit).map(AgentBodies.Answer::of).json("agents");
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  AgentBodies.Answer create(
      @RequestBody AgentBodies.Creation body, @AuthenticationPrincipal Operator operator) {
    return AgentBodies.Answer.of(agents.create(body.draft(), operator.actor()));
  }

  @GetMapping("/{slug}")
  AgentBodies.Answer show(@PathVariable String slug) {
    return AgentBodies.Answer.of(agents.get(slug));
  }

  @PatchMapping("/{slug}")
  AgentBodies.Answer change(
      @PathVariable String slug,
      @RequestBody AgentBodies.Change body,
      @AuthenticationPrincipal Operator operator) {
    return AgentBodies.Answer.of(agents.update(slug, body, operator.actor()));
  }

  @DeleteMapping("/{slug}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable String slug, @AuthenticationPrincipal Operator operator) {
    agents.delete(slug, operator.actor());
  }
}
