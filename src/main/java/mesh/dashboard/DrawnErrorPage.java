package mesh.dashboard;

import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.ProblemPage;
import mesh.web.ErrorPage;
import mesh.web.Problem;
import org.springframework.stereotype.Component;

/** What a browser shows when a request could not be answered. Needs no database. */
@Component
class DrawnErrorPage implements ErrorPage {

  private final TemplateEngine templates;
  private final Frames frames;

  DrawnErrorPage(TemplateEngine templates, Frames frames) {
    this.templates = templates;
    this.frames = frames;
  }

  @Override
  public void write(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    StringOutput html = new StringOutput();
    templates.render("problem.jte", page(problem, request), html);
    response.setContentType("text/html");
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    response.setHeader("Cache-Control", "no-store");
    response.getWriter().print(html);
    response.flushBuffer();
  }

  private ProblemPage page(Problem problem, HttpServletRequest request) {
    int status = problem.status();
    return new ProblemPage(
        frames.frame(request),
        status,
        title(status),
        VisibleText.line(problem.sentence()),
        next(status),
        String.valueOf(problem.extras().getOrDefault("id", "")));
  }

  private static String title(int status) {
    return switch (status) {
      case 401 -> "You are not signed in";
      case 403 -> "You may not do this";
      case 404 -> "There is no such page";
      case 429, 503 -> "Mesh is busy";
      default -> status < 500 ? "This could not be done" : "Something went wrong";
    };
  }

  private static String next(int status) {
    return switch (status) {
      case 401 -> "Sign in and try again.";
      case 403 ->
          "If the page was open for long, go back, reload it and try again. If you need a role that"
              + " you do not have, ask an administrator of this Mesh.";
      case 404 -> "Check the address, or look for it among the runs.";
      case 429, 503 -> "Wait a moment and try again.";
      default ->
          status < 500
              ? "Go back and check what was sent."
              : "Trying again may help. If it does not, tell whoever looks after this Mesh.";
    };
  }
}
