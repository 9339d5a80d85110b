package mesh.inference;

import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.LogLevel;
import com.anthropic.core.ObjectMappers;
import com.anthropic.errors.AnthropicException;
import com.anthropic.errors.AnthropicServiceException;
import com.anthropic.errors.SseException;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Anthropic's Messages API through its own library, always streaming. Its retries, logging and keys
 * are not used: {@link Attempts} and {@link Transport} do that.
 */
final class AnthropicClient implements Client {

  private static final String VERSION = "2023-06-01";

  private final Connection connection;
  private final com.anthropic.client.AnthropicClient library;
  private final Troubles troubles;
  private final Supplier<UUID> ids;

  AnthropicClient(Transport.Route route, Troubles troubles, Supplier<UUID> ids) {
    this.connection = route.connection();
    this.troubles = troubles;
    this.ids = ids;
    this.library =
        new AnthropicClientImpl(
            ClientOptions.builder()
                .httpClient(new AnthropicHttp(route))
                .putHeader("anthropic-version", VERSION)
                .baseUrl(address(connection))
                .jsonMapper(ObjectMappers.jsonMapper())
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .openTelemetry(false)
                .build());
  }

  /** Its library adds the version to the path; people often write it too. */
  private static String address(Connection connection) {
    return connection.baseUrl().toString().replaceFirst("/+$", "").replaceFirst("/v1$", "");
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Reply ask(Question question) throws Trouble {
    var names = new Names(64);
    var reply =
        new AnthropicReply(
            connection, question, names, new CallIds(question.prompt(), ids), troubles);
    var request = AnthropicPrompt.of(question, names);
    try (var stream = library.messages().createStreaming(request)) {
      for (var event : stream) {
        reply.read(event);
      }
      return reply.whole();
    } catch (SseException e) {
      throw troubles.streamed(body(e));
    } catch (AnthropicServiceException e) {
      throw troubles.answered(e.statusCode(), body(e), e.headers()::values);
    } catch (AnthropicException e) {
      throw troubles.unanswered(e);
    }
  }

  private static JsonNode body(AnthropicServiceException e) {
    try {
      return Troubles.read(ObjectMappers.jsonMapper().writeValueAsString(e.body()));
    } catch (JsonProcessingException unreadable) {
      return MissingNode.getInstance();
    }
  }
}
