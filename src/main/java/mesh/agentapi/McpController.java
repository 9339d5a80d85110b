package mesh.agentapi;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.access.RunCaller;
import mesh.run.RunId;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;

/**
 * The tools over MCP's streamable HTTP (modelcontextprotocol.io, revisions 2025-03-26 to
 * 2025-11-25). Nothing is kept between two requests, so any instance answers any of them. There is
 * nothing a server would say of its own accord, hence no GET, and no session to end, hence no
 * DELETE.
 */
@RestController
class McpController {

  private static final String SESSION = "Mcp-Session-Id";

  private final McpTools tools;
  private final McpCalls calls;
  private final McpCaller caller;
  private final Supplier<UUID> ids;

  McpController(McpTools tools, McpCalls calls, McpCaller caller, Supplier<UUID> ids) {
    this.tools = tools;
    this.calls = calls;
    this.caller = caller;
    this.ids = ids;
  }

  /** One message of JSON-RPC. What is wrong with the message itself is an ordinary problem. */
  @PostMapping(path = "/mcp", consumes = MediaType.APPLICATION_JSON_VALUE)
  void receive(
      @RequestBody JsonNode message,
      @RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = "*/*") String accept,
      @RequestHeader(name = SESSION, defaultValue = "") String sessionId,
      @RequestHeader(name = "MCP-Protocol-Version", required = false) @Nullable String version,
      @AuthenticationPrincipal RunCaller agent,
      HttpServletResponse response)
      throws IOException {
    var session = session(new RunId(agent.run()), sessionId);
    if (version != null && !McpProtocol.knows(version)) {
      throw Problem.badRequest(
          "mcp_version_unknown", "MCP-Protocol-Version is none that this server speaks.");
    }
    var method = method(message);
    if (!message.has("id") || method.isEmpty()) {
      noticed(session, method, message.path("params"));
      response.setStatus(HttpServletResponse.SC_ACCEPTED);
      return;
    }
    var request = new JSONRPCRequest(method, id(message.get("id")), message.get("params"));
    switch (method) {
      case McpSchema.METHOD_INITIALIZE -> {
        response.setHeader(SESSION, McpSession.opened(session.run(), ids.get()).id());
        write(McpProtocol.answer(request, List.of(), McpResults::broken), response);
      }
      case McpSchema.METHOD_TOOLS_LIST ->
          write(McpProtocol.answer(request, tools.of(session.run()), McpResults::broken), response);
      case McpSchema.METHOD_TOOLS_CALL -> call(session, request, message, accept, response);
      default -> write(McpProtocol.answer(request, List.of(), McpResults::broken), response);
    }
  }

  private void call(
      McpSession session,
      JSONRPCRequest request,
      JsonNode message,
      String accept,
      HttpServletResponse response)
      throws IOException {
    var call = McpCall.of(message.path("params"));
    var tool = tools.named(call.tool());
    if (tool.isEmpty()) {
      var sentence = "There is no such tool. Tools: " + tools.names() + ".";
      write(McpProtocol.error(request, ErrorCodes.INVALID_PARAMS, sentence), response);
      return;
    }
    // The SDK need not see the arguments, which may be a file.
    var outline = new JSONRPCRequest(request.method(), request.id(), call.withoutArguments());
    var begun = calls.begin(session.request(message.get("id").toString()));
    if (begun.isEmpty()) {
      var sentence = "A request with this id is under way in this session: use another id.";
      write(McpProtocol.error(request, ErrorCodes.INVALID_REQUEST, sentence), response);
      return;
    }
    try (var running = begun.get()) {
      var output = new McpOutput();
      Supplier<CallToolResult> calling =
          () -> caller.call(session.run(), call, output, running.cancellation());
      Supplier<JSONRPCResponse> answer = () -> McpProtocol.answer(outline, tool, calling);
      if (accept.contains(MediaType.TEXT_EVENT_STREAM_VALUE)) {
        new McpStream(response, running.cancellation(), output, call.progressToken())
            .answer(answer);
      } else {
        write(answer.get(), response);
      }
    }
  }

  private void noticed(McpSession session, String method, JsonNode params) {
    if (method.equals("notifications/cancelled") && params.has("requestId")) {
      calls.cancel(session.request(params.get("requestId").toString()));
    }
  }

  private static McpSession session(RunId run, String id) {
    var session = new McpSession(run, id);
    if (!session.isGenuine()) {
      throw Problem.notFound(
          "mcp_session_unknown", "This run has opened no such MCP session: initialize anew.");
    }
    return session;
  }

  /** Empty for an answer, which this server never asks for. */
  private static String method(JsonNode message) {
    var method = message.path("method");
    boolean answer = message.has("result") || message.has("error");
    if (!message.path("jsonrpc").asString("").equals("2.0") || !(method.isString() || answer)) {
      throw Problem.badRequest(
          "mcp_message_invalid", "The body must be one message of JSON-RPC 2.0, and no batch.");
    }
    return method.isString() ? method.asString() : "";
  }

  private static Object id(JsonNode id) {
    if (id.isString()) {
      return id.asString();
    }
    if (id.isIntegralNumber() && id.canConvertToLong()) {
      return id.asLong();
    }
    throw Problem.badRequest("mcp_message_invalid", "The id must be a text or a whole number.");
  }

  private static void write(JSONRPCResponse answer, HttpServletResponse response)
      throws IOException {
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.getOutputStream().write(McpProtocol.bytes(answer));
  }
}
