package mesh.credential;

import java.util.List;
import mesh.access.Operator;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.credential.CredentialBodies.PutValue;
import mesh.credential.CredentialBodies.VaultAnswer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Vaults for operators: names go out, values only go in. */
@RestController
@RequestMapping("/api/agents/{slug}/vault")
class VaultController {

  private final Agents agents;
  private final Vault vault;

  VaultController(Agents agents, Vault vault) {
    this.agents = agents;
    this.vault = vault;
  }

  @GetMapping
  Entries list(@PathVariable String slug) {
    return new Entries(vault.list(agent(slug)).stream().map(VaultAnswer::of).toList(), null);
  }

  @PutMapping("/{name}")
  VaultAnswer put(
      @PathVariable String slug,
      @PathVariable String name,
      @RequestBody PutValue body,
      @AuthenticationPrincipal Operator operator) {
    return VaultAnswer.of(vault.put(agent(slug), name, body.demanded(), operator.actor()));
  }

  @DeleteMapping("/{name}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable String slug,
      @PathVariable String name,
      @AuthenticationPrincipal Operator operator) {
    vault.delete(agent(slug), name, operator.actor());
  }

  /**
   * @param next null: a vault is one page
   */
  record Entries(List<VaultAnswer> entries, @Nullable String next) {}

  private AgentId agent(String slug) {
    return agents.get(slug).id();
  }
}
