package mesh.access;

import java.security.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** A caller whose token or session was found good. What it may do follows from who it is. */
final class Caller extends AbstractAuthenticationToken {

  private final transient Principal principal;

  Caller(Principal principal) {
    super(List.of());
    this.principal = principal;
    setAuthenticated(true);
  }

  @Override
  public Principal getPrincipal() {
    return principal;
  }

  @Override
  public Object getCredentials() {
    return "";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Caller caller && principal.equals(caller.principal);
  }

  @Override
  public int hashCode() {
    return principal.hashCode();
  }
}
