package mesh.agentapi;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import mesh.tool.LiveOutput;
import mesh.web.Problem;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * One call's server-sent events: {@code stdout} and {@code stderr} as {@code {"text":…}}, then
 * {@code result}, or {@code error} with a problem once output was sent. Used by one thread.
 */
final class ToolEvents implements LiveOutput {

  private final HttpServletResponse response;
  private final JsonMapper json;
  private boolean begun;

  ToolEvents(HttpServletResponse response, JsonMapper json) {
    this.response = response;
    this.json = json;
  }

  @Override
  public void accept(String channel, String text) {
    try {
      send(channel, JsonNodeFactory.instance.objectNode().put("text", text));
    } catch (IOException gone) {
      throw new LiveOutputClosed(gone);
    }
  }

  void send(String event, JsonNode data) throws IOException {
    if (!begun) {
      begun = true;
      response.setContentType("text/event-stream");
      response.setCharacterEncoding("UTF-8");
    }
    var text = "event: " + event + "\ndata: " + json.writeValueAsString(data) + "\n\n";
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  /** Throws the problem while nothing was sent; afterwards it is the last event. */
  void fail(Problem problem) throws IOException {
    if (!begun) {
      throw problem;
    }
    send(
        "error",
        JsonNodeFactory.instance
            .objectNode()
            .put("code", problem.code())
            .put("detail", problem.sentence())
            .put("status", problem.status()));
  }
}
