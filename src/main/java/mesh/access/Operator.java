package mesh.access;

import java.io.Serializable;
import java.security.Principal;
import java.util.UUID;
import mesh.activity.ActorId;

/**
 * A person or API token that calls the operators' API or the dashboard; the authentication
 * principal of such requests ({@code @AuthenticationPrincipal Operator operator}).
 */
public record Operator(UUID actorId, String name, Role role) implements Principal, Serializable {

  public ActorId actor() {
    return new ActorId(actorId);
  }

  @Override
  public String getName() {
    return name;
  }
}
