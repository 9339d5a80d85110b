package mesh.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Turns whatever a controller or Spring MVC throws into a {@link Problem} and answers with it. What
 * nobody foresaw becomes a 500 with an id that is also in the log, and tells nothing else.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
final class ProblemAdvice {

  private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

  private final Problems problems;
  private final Supplier<UUID> ids;

  ProblemAdvice(Problems problems, Supplier<UUID> ids) {
    this.problems = problems;
    this.ids = ids;
  }

  @ExceptionHandler
  void answer(Throwable thrown, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (Thrown.clientLeft(thrown)) {
      log.atDebug().addKeyValue("path", request.getRequestURI()).log("client left");
      return;
    }
    if (thrown instanceof ErrorResponse known && !response.isCommitted()) {
      // Allow of a 405, Accept of a 415
      known
          .getHeaders()
          .forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
    }
    problems.answer(
        Thrown.problem(thrown).orElseGet(() -> unforeseen(thrown, request)), request, response);
  }

  /** A 500 that says nothing but an id; the log has the rest under the same id. */
  Problem unforeseen(Throwable thrown, HttpServletRequest request) {
    UUID id = ids.get();
    log.atError()
        .addKeyValue("id", id)
        .addKeyValue("method", request.getMethod())
        .addKeyValue("path", Interfaces.path(request))
        .setCause(thrown)
        .log("request failed");
    return Problem.of(
            500,
            "internal_error",
            "Something went wrong inside Mesh. The server's log has the details under id "
                + id
                + ".")
        .with("id", id.toString());
  }
}
