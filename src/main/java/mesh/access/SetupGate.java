package mesh.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import mesh.web.Problem;
import mesh.web.Problems;
import org.springframework.web.filter.OncePerRequestFilter;

/** {@code /setup} exists until there is an admin, and never again. */
final class SetupGate extends OncePerRequestFilter {

  private final SetupState state;
  private final Problems problems;

  SetupGate(SetupState state, Problems problems) {
    this.state = state;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (request.getRequestURI().equals("/setup") && !state.isOpen()) {
      problems.answer(
          Problem.notFound("not_found", "There is nothing at this address."), request, response);
      return;
    }
    chain.doFilter(request, response);
  }
}
