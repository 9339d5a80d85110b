package mesh.agentapi;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import mesh.access.RunCaller;
import mesh.run.RunId;
import mesh.tool.LiveOutput;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolCalls;
import mesh.tool.ToolRefusal;
import mesh.tool.Toolbox;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

@RestController
@RequestMapping("/api/agent/tools")
class ToolController {

  private final Toolbox toolbox;
  private final ToolCalls calls;
  private final JsonMapper json;

  ToolController(Toolbox toolbox, ToolCalls calls, JsonMapper json) {
    this.toolbox = toolbox;
    this.calls = calls;
    this.json = json;
  }

  @GetMapping
  ToolList list(@AuthenticationPrincipal RunCaller caller) {
    var run = new RunId(caller.run());
    return new ToolList(
        toolbox.offeredTo(run).stream().map(tool -> ToolJson.of(tool, run)).toList());
  }

  /**
   * Calls a tool. With {@code Accept: text/event-stream} its output comes as it is printed; a
   * refusal before any output is an ordinary problem there too. One handler for both, since a
   * caller that accepts anything must get JSON.
   */
  @PostMapping("/{name}")
  void call(
      @PathVariable String name,
      @RequestBody JsonNode arguments,
      @RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = "*/*") String accept,
      @AuthenticationPrincipal RunCaller caller,
      HttpServletResponse response)
      throws IOException {
    var run = new RunId(caller.run());
    if (accept.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE)) {
      stream(name, run, arguments, response);
      return;
    }
    JsonNode result;
    try {
      result = calls.call(new ToolCall(run, arguments, LiveOutput.NONE), name);
    } catch (ToolRefusal refusal) {
      throw Refusals.problem(refusal);
    } catch (InterruptedException cancelled) {
      throw Refusals.cancelled();
    }
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.getOutputStream().write(json.writeValueAsBytes(result));
  }

  private void stream(String name, RunId run, JsonNode arguments, HttpServletResponse response)
      throws IOException {
    var events = new ToolEvents(response, json);
    try {
      events.send("result", calls.call(new ToolCall(run, arguments, events), name));
    } catch (ToolRefusal refusal) {
      events.fail(Refusals.problem(refusal));
    } catch (InterruptedException cancelled) {
      events.fail(Refusals.cancelled());
    } catch (LiveOutput.LiveOutputClosed gone) {
      // The caller hung up, which cancelled the call; there is nobody to tell.
      return;
    }
  }

  record ToolList(List<ToolJson> tools) {}

  /** A tool as an agent sees it; the reason is null when it is available. */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record ToolJson(
      String name,
      String description,
      JsonNode inputSchema,
      List<String> needs,
      boolean available,
      @Nullable String unavailableBecause) {

    static ToolJson of(Tool tool, RunId run) {
      var description = tool.description();
      var reason = tool.unavailable(run);
      return new ToolJson(
          description.name(),
          description.text(),
          description.inputSchema(),
          description.needs(),
          reason.isEmpty(),
          reason.map(ToolRefusal::sentence).orElse(null));
    }
  }
}
