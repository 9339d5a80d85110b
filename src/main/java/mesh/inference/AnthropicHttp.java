package mesh.inference;

import com.anthropic.core.RequestOptions;
import com.anthropic.core.http.Headers;
import com.anthropic.core.http.HttpClient;
import com.anthropic.core.http.HttpRequest;
import com.anthropic.core.http.HttpResponse;
import com.anthropic.errors.AnthropicIoException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/** Anthropic's library over Mesh's transport. */
final class AnthropicHttp implements HttpClient {

  private final Transport.Route route;

  AnthropicHttp(Transport.Route route) {
    this.route = route;
  }

  @Override
  public HttpResponse execute(HttpRequest request, RequestOptions options) {
    var body = new ByteArrayOutputStream();
    request.body().ifPresent(content -> content.writeTo(body));
    try {
      return new Received(
          route.post(
              request.url(),
              Transport.pairs(request.headers().names(), request.headers()::values),
              body.toByteArray()));
    } catch (IOException e) {
      throw new AnthropicIoException("Request failed", e);
    }
  }

  @Override
  public CompletableFuture<HttpResponse> executeAsync(HttpRequest request, RequestOptions options) {
    throw new UnsupportedOperationException("Mesh waits for its models");
  }

  /** The transport is others' too. */
  @Override
  public void close() {}

  private record Received(Transport.Answer answer) implements HttpResponse {

    @Override
    public int statusCode() {
      return answer.status();
    }

    @Override
    public Headers headers() {
      var headers = Headers.builder();
      answer.headers().forEach(headers::put);
      return headers.build();
    }

    @Override
    public InputStream body() {
      return answer.body();
    }

    @Override
    public void close() {
      answer.close();
    }
  }
}
