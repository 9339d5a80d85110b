package mesh.agentapi;

import static java.util.Objects.requireNonNull;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks the protocol, by means of the official SDK: one server of the SDK for each request, since
 * what a request may see is its run's and nothing outlives it. All of it on the calling thread.
 */
final class McpProtocol {

  private static final McpJsonMapper JSON = new JacksonMcpJsonMapper(new JsonMapper());

  private static final String VERSION =
      Optional.ofNullable(McpProtocol.class.getPackage().getImplementationVersion())
          .orElse("development");

  private static final String INSTRUCTIONS =
      """
      You have a workspace: a sandbox with a file system and usually a shell, made at your first \
      call and gone after your run, so push or save what must outlive it. Commands start in the \
      project directory. What would show a credential shows [REDACTED]. A tool that refuses says \
      with a code and a sentence what to do about it.\
      """;

  /** Arguments are checked where a call becomes a step, and schemas by the tests. */
  private static final JsonSchemaValidator UNCHECKED =
      (_, _) -> JsonSchemaValidator.ValidationResponse.asValid("");

  private McpProtocol() {}

  /** Whether a client may speak it after the two have agreed on it. */
  static boolean knows(String version) {
    return new OneRequest().protocolVersions().contains(version);
  }

  /**
   * @param tools that there are
   * @param calling does what {@code tools/call} asks for; the tool and the arguments are known by
   *     then
   */
  static JSONRPCResponse answer(
      JSONRPCRequest request, List<McpSchema.Tool> tools, Supplier<CallToolResult> calling) {
    var transport = new OneRequest();
    var _ =
        McpServer.sync(transport)
            .jsonMapper(JSON)
            .jsonSchemaValidator(UNCHECKED)
            .validateToolInputs(false)
            // The SDK would take a thread of the platform for each call.
            .immediateExecution(true)
            .serverInfo("mesh", VERSION)
            .instructions(INSTRUCTIONS)
            .capabilities(McpSchema.ServerCapabilities.builder().tools(false).build())
            .tools(
                tools.stream()
                    .map(tool -> new SyncToolSpecification(tool, (_, _) -> calling.get()))
                    .toList())
            .build();
    try {
      var response = requireNonNull(transport.handle(request).block());
      // Nothing of Mesh's own fails in there.
      return response.error() != null && response.error().code() == ErrorCodes.INTERNAL_ERROR
          ? badParameters(request)
          : response;
    } catch (IllegalArgumentException unreadable) {
      return badParameters(request);
    }
  }

  private static JSONRPCResponse badParameters(JSONRPCRequest request) {
    return error(
        request,
        ErrorCodes.INVALID_PARAMS,
        "The parameters of " + request.method() + " are not what MCP has there.");
  }

  static JSONRPCResponse error(JSONRPCRequest request, int code, String sentence) {
    return JSONRPCResponse.error(request.id(), new JSONRPCError(code, sentence));
  }

  static byte[] bytes(McpSchema.JSONRPCMessage message) {
    try {
      return JSON.writeValueAsBytes(message);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Where the SDK's server and a request meet. */
  private static final class OneRequest implements McpStatelessServerTransport {

    private @Nullable McpStatelessServerHandler handler;

    @Override
    public void setMcpHandler(McpStatelessServerHandler handler) {
      this.handler = handler;
    }

    Mono<JSONRPCResponse> handle(JSONRPCRequest request) {
      return requireNonNull(handler).handleRequest(McpTransportContext.EMPTY, request);
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }
  }
}
