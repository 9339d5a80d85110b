package mesh.web;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** Which paths speak JSON whatever the caller accepts. */
final class Interfaces {

  private static final List<String> JSON = List.of("/api", "/mcp", "/v3", "/actuator");

  private Interfaces() {}

  /** True for a browser that asked for a page: a path of no JSON interface, and HTML accepted. */
  static boolean wantsPage(HttpServletRequest request) {
    String path = path(request);
    String accept = request.getHeader("Accept");
    return JSON.stream().noneMatch(root -> path.equals(root) || path.startsWith(root + "/"))
        && accept != null
        && accept.contains("text/html");
  }

  /** The path that was asked for first, also within the container's dispatch to {@code /error}. */
  static String path(HttpServletRequest request) {
    return request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String original
        ? original
        : request.getRequestURI();
  }
}
