package mesh.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers a request with a {@link Problem}, wherever it was found: in a controller, a filter or the
 * security chains. Scripts and agents get {@code application/problem+json}; a browser that asked
 * for a page gets one from {@link ErrorPage}.
 */
@Component
public final class Problems {

  private static final Logger log = LoggerFactory.getLogger(Problems.class);

  private final JsonMapper json;
  private final ObjectProvider<ErrorPage> pages;

  Problems(JsonMapper json, ObjectProvider<ErrorPage> pages) {
    this.json = json;
    this.pages = pages;
  }

  /** Does nothing if the answer has begun: what was sent cannot be taken back. */
  public void answer(Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) {
      log.atDebug().addKeyValue("code", problem.code()).log("problem found after the answer began");
      return;
    }
    response.resetBuffer();
    response.setStatus(problem.status());
    if (problem.extras().get("retry_after_seconds") instanceof Number seconds) {
      response.setHeader("Retry-After", seconds.toString());
    }
    if (Interfaces.wantsPage(request)) {
      pages.getIfAvailable(PlainErrorPage::new).write(problem, request, response);
      return;
    }
    byte[] body = json.writeValueAsBytes(members(problem));
    response.setContentType("application/problem+json");
    response.setCharacterEncoding(StandardCharsets.UTF_8);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    response.flushBuffer();
  }

  private static Map<String, Object> members(Problem problem) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("type", "about:blank");
    members.put("title", title(problem.status()));
    members.put("status", problem.status());
    members.put("detail", problem.sentence());
    members.put("code", problem.code());
    problem.extras().forEach(members::putIfAbsent);
    return members;
  }

  /** The status in words, such as {@code Not Found}. */
  static String title(int status) {
    HttpStatus known = HttpStatus.resolve(status);
    return known == null ? "Error" : known.getReasonPhrase();
  }
}
