package mesh.inference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.LogLevel;
import com.openai.core.ObjectMappers;
import com.openai.errors.OpenAIException;
import com.openai.errors.OpenAIServiceException;
import com.openai.errors.SseException;
import com.openai.models.chat.completions.ChatCompletionChunk;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * OpenAI's Chat Completions API through its own library, always streaming. Its retries, logging and
 * keys are not used: {@link Attempts} and {@link Transport} do that.
 */
final class OpenAiClient implements Client {

  /** The library demands one; the transport takes it off and puts the real one on. */
  private static final String NO_KEY = "none";

  private final Connection connection;
  private final OpenAIClient library;
  private final Troubles troubles;
  private final Supplier<UUID> ids;
  private final Map<String, OpenAiDialect> dialects = new ConcurrentHashMap<>();

  OpenAiClient(Transport.Route route, Troubles troubles, Supplier<UUID> ids) {
    this.connection = route.connection();
    this.troubles = troubles;
    this.ids = ids;
    this.library =
        new OpenAIClientImpl(
            ClientOptions.builder()
                .httpClient(new OpenAiHttp(route))
                .apiKey(NO_KEY)
                .baseUrl(connection.baseUrl().toString().replaceFirst("/+$", ""))
                .jsonMapper(ObjectMappers.jsonMapper())
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .disableTelemetry(true)
                .build());
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Reply ask(Question question) throws Trouble {
    while (true) {
      var dialect =
          dialects.computeIfAbsent(question.model(), _ -> OpenAiDialect.likely(connection));
      try {
        return ask(question, dialect);
      } catch (Trouble trouble) {
        var other = dialect.after(trouble);
        // Each change is made once: the second refusal of the same kind is the service's last word.
        if (other.isEmpty() || !changes(dialect, other.get())) {
          throw trouble;
        }
        dialects.put(question.model(), other.get());
      }
    }
  }

  /** Whether this is not the way back to what was refused before. */
  private boolean changes(OpenAiDialect dialect, OpenAiDialect other) {
    return dialect.completionTokens() == other.completionTokens()
        || dialect.completionTokens() == OpenAiDialect.likely(connection).completionTokens();
  }

  private Reply ask(Question question, OpenAiDialect dialect) throws Trouble {
    var names = new Names(64);
    var reply =
        new OpenAiReply(connection, question, names, new CallIds(question.prompt(), ids), troubles);
    var request = OpenAiPrompt.of(question, dialect, names);
    try (var stream = library.chat().completions().createStreaming(request)) {
      for (var chunk : (Iterable<ChatCompletionChunk>) stream.stream()::iterator) {
        reply.read(chunk);
      }
      return reply.whole();
    } catch (SseException e) {
      throw troubles.streamed(body(e));
    } catch (OpenAIServiceException e) {
      throw troubles.answered(e.statusCode(), body(e), e.headers()::values);
    } catch (OpenAIException e) {
      throw troubles.unanswered(e);
    }
  }

  private static JsonNode body(OpenAIServiceException e) {
    try {
      return Troubles.read(ObjectMappers.jsonMapper().writeValueAsString(e.body()));
    } catch (JsonProcessingException unreadable) {
      return MissingNode.getInstance();
    }
  }
}
