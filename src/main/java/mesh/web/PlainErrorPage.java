package mesh.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** One line of plain text: nothing to escape and nothing to style. */
final class PlainErrorPage implements ErrorPage {

  @Override
  public void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    response.getWriter().println(Problems.title(problem.status()) + ": " + problem.sentence());
    response.flushBuffer();
  }
}
