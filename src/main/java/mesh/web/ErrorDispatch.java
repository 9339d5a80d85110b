package mesh.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;

/**
 * Where the container sends what failed outside of controllers. Stands in for Spring Boot's own,
 * which would tell paths and messages.
 */
@Controller
final class ErrorDispatch implements ErrorController {

  private final Problems problems;
  private final ProblemAdvice advice;

  ErrorDispatch(Problems problems, ProblemAdvice advice) {
    this.problems = problems;
    this.advice = advice;
  }

  @RequestMapping("/error")
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable thrown) {
      advice.answer(thrown, request, response);
      return;
    }
    int status =
        request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer reported
            ? reported
            : HttpServletResponse.SC_NOT_FOUND;
    problems.answer(Thrown.status(status), request, response);
  }
}
