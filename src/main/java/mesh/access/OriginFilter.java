package mesh.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import mesh.web.Problem;
import mesh.web.Problems;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses changes that another site's page asked a browser for, before the CSRF token is even
 * looked at. Requests with a token are none of a browser's, but MCP's are looked at all the same.
 */
final class OriginFilter extends OncePerRequestFilter {

  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private final AccessSettings settings;
  private final Problems problems;

  OriginFilter(AccessSettings settings, Problems problems) {
    this.settings = settings;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (passes(request) || ours(request)) {
      chain.doFilter(request, response);
      return;
    }
    problems.answer(
        Problem.forbidden("origin_foreign", "Another site's page asked for this."),
        request,
        response);
  }

  /** MCP wants the origin of all requests looked at, whatever they do and carry. */
  private static boolean passes(HttpServletRequest request) {
    return !request.getRequestURI().equals("/mcp")
        && (SAFE.contains(request.getMethod()) || BearerFilter.hasToken(request));
  }

  private boolean ours(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return false;
    }
    String origin = request.getHeader("Origin");
    // Browsers say null for our own forms too, as our pages tell no referrer.
    if (origin == null || origin.equals("null")) {
      return true;
    }
    String authority = authority(origin);
    return authority != null
        && (authority.equalsIgnoreCase(request.getHeader("Host"))
            || settings.url().map(URI::getRawAuthority).filter(authority::equals).isPresent());
  }

  private static @Nullable String authority(String origin) {
    try {
      return URI.create(origin).getRawAuthority();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
