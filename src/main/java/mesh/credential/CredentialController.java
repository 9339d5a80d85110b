package mesh.credential;

import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.credential.CredentialBodies.CredentialAnswer;
import mesh.credential.CredentialBodies.PermissionAnswer;
import mesh.credential.CredentialBodies.PutCredential;
import mesh.credential.CredentialBodies.PutPermission;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Credentials and their permissions for operators. A change answers 200 once no older write of a
 * credential is under way, or 202 if one still is: it holds either way.
 */
@RestController
@RequestMapping("/api/agents/{slug}")
class CredentialController {

  private final Agents agents;
  private final Credentials credentials;

  CredentialController(Agents agents, Credentials credentials) {
    this.agents = agents;
    this.credentials = credentials;
  }

  @GetMapping("/credentials")
  Map<String, List<CredentialAnswer>> list(@PathVariable String slug) {
    return Map.of(
        "credentials", credentials.of(agent(slug)).stream().map(CredentialAnswer::of).toList());
  }

  @GetMapping("/credentials/{provider}")
  CredentialAnswer show(@PathVariable String slug, @PathVariable String provider) {
    return CredentialAnswer.of(credentials.of(agent(slug), Provider.named(provider)));
  }

  @PutMapping("/credentials/{provider}")
  ResponseEntity<CredentialAnswer> put(
      @PathVariable String slug,
      @PathVariable String provider,
      @RequestBody PutCredential body,
      @AuthenticationPrincipal Operator operator) {
    var agent = agent(slug);
    var named = Provider.named(provider);
    return credential(
        credentials.put(
            agent,
            named,
            body.demandedToken(),
            body.demandedAccount(credentials.of(agent, named).account()),
            operator.actor()));
  }

  @DeleteMapping("/credentials/{provider}")
  ResponseEntity<CredentialAnswer> clear(
      @PathVariable String slug,
      @PathVariable String provider,
      @AuthenticationPrincipal Operator operator) {
    return credential(credentials.clear(agent(slug), Provider.named(provider), operator.actor()));
  }

  @GetMapping("/credential-permissions")
  Map<String, List<PermissionAnswer>> permissions(@PathVariable String slug) {
    return Map.of(
        "permissions",
        credentials.of(agent(slug)).stream()
            .map(Credential::permission)
            .map(PermissionAnswer::of)
            .toList());
  }

  @GetMapping("/credential-permissions/{provider}")
  PermissionAnswer permission(@PathVariable String slug, @PathVariable String provider) {
    return PermissionAnswer.of(credentials.of(agent(slug), Provider.named(provider)).permission());
  }

  @PutMapping("/credential-permissions/{provider}")
  ResponseEntity<PermissionAnswer> permit(
      @PathVariable String slug,
      @PathVariable String provider,
      @RequestBody PutPermission body,
      @AuthenticationPrincipal Operator operator) {
    var changed =
        credentials.permit(
            agent(slug), Provider.named(provider), body.demanded(), operator.actor());
    return ResponseEntity.status(changed.drained() ? 200 : 202)
        .body(PermissionAnswer.of(changed.credential().permission()));
  }

  private static ResponseEntity<CredentialAnswer> credential(Credentials.Changed changed) {
    return ResponseEntity.status(changed.drained() ? 200 : 202)
        .body(CredentialAnswer.of(changed.credential()));
  }

  private AgentId agent(String slug) {
    return agents.get(slug).id();
  }
}
