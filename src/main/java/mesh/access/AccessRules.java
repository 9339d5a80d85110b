package mesh.access;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Who may call what, all of it. The first rule that fits counts; an address without a rule does not
 * exist for anybody, so a new one cannot be reachable by accident (and a test demands its rule).
 */
final class AccessRules implements AuthorizationManager<RequestAuthorizationContext> {

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  private record Rule(PathPattern path, Need read, Need write) {}

  private static final List<Rule> RULES =
      List.of(
          // agents
          rule("/api/agent/**", Need.RUN, Need.RUN),
          rule("/mcp/**", Need.RUN, Need.RUN),
          // operators' programs
          rule("/api/access/**", Need.ADMIN, Need.ADMIN),
          rule("/api/settings/**", Need.VIEWER, Need.ADMIN),
          rule("/api/agents/**", Need.VIEWER, Need.OPERATOR),
          rule("/api/runs/**", Need.VIEWER, Need.OPERATOR),
          rule("/api/workspaces/**", Need.VIEWER, Need.OPERATOR),
          rule("/api/snapshots/**", Need.VIEWER, Need.OPERATOR),
          rule("/api/artifacts/**", Need.VIEWER, Need.OPERATOR),
          rule("/api/activity/**", Need.VIEWER, Need.ADMIN),
          rule("/v3/api-docs/**", Need.VIEWER, Need.ADMIN),
          rule("/v3/api-docs.yaml", Need.VIEWER, Need.ADMIN),
          rule("/actuator/prometheus", Need.VIEWER, Need.ADMIN),
          // probes
          rule("/actuator/health/**", Need.ANYONE, Need.ADMIN),
          // people
          rule("/sign-in", Need.ANYONE, Need.ANYONE),
          rule("/sign-out", Need.VIEWER, Need.VIEWER),
          rule("/setup", Need.ANYONE, Need.ANYONE),
          rule("/error", Need.ANYONE, Need.ANYONE),
          rule("/assets/**", Need.ANYONE, Need.ADMIN),
          rule("/webjars/**", Need.ANYONE, Need.ADMIN),
          rule("/favicon.ico", Need.ANYONE, Need.ADMIN),
          rule("/favicon.svg", Need.ANYONE, Need.ADMIN),
          rule("/robots.txt", Need.ANYONE, Need.ADMIN),
          rule("/", Need.VIEWER, Need.OPERATOR),
          rule("/search/**", Need.VIEWER, Need.OPERATOR),
          rule("/account/**", Need.VIEWER, Need.VIEWER),
          rule("/runs/**", Need.VIEWER, Need.OPERATOR),
          rule("/workspaces/**", Need.VIEWER, Need.OPERATOR),
          rule("/agents/**", Need.VIEWER, Need.OPERATOR),
          rule("/snapshots/**", Need.VIEWER, Need.OPERATOR),
          rule("/artifacts/**", Need.VIEWER, Need.OPERATOR),
          rule("/activity/**", Need.VIEWER, Need.OPERATOR),
          rule("/access/**", Need.ADMIN, Need.ADMIN),
          rule("/settings/access/**", Need.ADMIN, Need.ADMIN),
          rule("/settings/**", Need.VIEWER, Need.ADMIN));

  private static Rule rule(String path, Need read, Need write) {
    return new Rule(PathPatternParser.defaultInstance.parse(path), read, write);
  }

  /** Empty if there is no such address. */
  static Optional<Need> need(String method, String path) {
    PathContainer parsed = PathContainer.parsePath(path);
    return RULES.stream()
        .filter(rule -> rule.path().matches(parsed))
        .findFirst()
        .map(rule -> SAFE.contains(method) ? rule.read() : rule.write());
  }

  static Optional<Need> need(HttpServletRequest request) {
    return need(request.getMethod(), request.getRequestURI());
  }

  @Override
  public AuthorizationDecision authorize(
      Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext context) {
    Need need = need(context.getRequest()).orElse(null);
    if (need == null) {
      return new AuthorizationDecision(false);
    }
    // Asking for the caller may cost a query, so what is open does not.
    return new AuthorizationDecision(need == Need.ANYONE || need.metBy(principal(caller.get())));
  }

  private static @Nullable Object principal(@Nullable Authentication caller) {
    return caller == null ? null : caller.getPrincipal();
  }
}
