package mesh.access;

import java.security.Principal;
import java.util.UUID;

/**
 * An agent that calls with the token of its run; the authentication principal of {@code
 * /api/agent/…} requests. Run and agent come from the token's row and from nowhere else.
 */
public record RunCaller(UUID run, UUID agent) implements Principal {

  @Override
  public String getName() {
    return "run " + run;
  }
}
