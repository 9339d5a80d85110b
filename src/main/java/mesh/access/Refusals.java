package mesh.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import mesh.web.Problem;
import mesh.web.Problems;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.stereotype.Component;

/** What the security chains answer with when they do not let a request through. */
@Component
final class Refusals implements AuthenticationEntryPoint, AccessDeniedHandler {

  private static final String SIGN_IN = "/sign-in";

  private final Problems problems;

  Refusals(Problems problems) {
    this.problems = problems;
  }

  /** A visitor without a session: to where they get one, or are told how the first is made. */
  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException thrown)
      throws IOException {
    if ("true".equals(request.getHeader("HX-Request"))) {
      // A redirect would put the sign-in page into a corner of the one that asked.
      response.setHeader("HX-Redirect", SIGN_IN);
      response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
      return;
    }
    response.sendRedirect(SIGN_IN);
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException thrown)
      throws IOException {
    problems.answer(problem(request, thrown), request, response);
  }

  private static Problem problem(HttpServletRequest request, AccessDeniedException thrown) {
    if (thrown instanceof CsrfException) {
      return Problem.forbidden(
          "csrf_invalid",
          "The form's or script's CSRF token is missing or old. Load the page again.");
    }
    return AccessRules.need(request)
        .map(need ->
            Problem.forbidden(
                "role_insufficient",
                "This needs the role %s.".formatted(need.name().toLowerCase(Locale.ROOT))))
        .orElseGet(() -> Problem.notFound("not_found", "There is nothing at this address."));
  }
}
