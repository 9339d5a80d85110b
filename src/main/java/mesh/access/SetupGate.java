package mesh.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import mesh.web.Problem;
import mesh.web.Problems;
import org.springframework.web.filter.OncePerRequestFilter;

/** {@code /setup} exists until there is an admin, and {@code /sign-in} from then on. */
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
    String path = request.getRequestURI();
    if (path.equals("/setup") && !state.isOpen()) {
      problems.answer(
          Problem.notFound("not_found", "There is nothing at this address."), request, response);
      return;
    }
    if (path.equals("/sign-in") && request.getMethod().equals("GET") && state.isOpen()) {
      response.sendRedirect("/setup");
      return;
    }
    chain.doFilter(request, response);
  }
}
