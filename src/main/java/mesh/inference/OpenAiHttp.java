package mesh.inference;

import com.openai.core.RequestOptions;
import com.openai.core.http.Headers;
import com.openai.core.http.HttpClient;
import com.openai.core.http.HttpRequest;
import com.openai.core.http.HttpResponse;
import com.openai.errors.OpenAIIoException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/** OpenAI's library over Mesh's transport. */
final class OpenAiHttp implements HttpClient {

  private final Transport.Route route;

  OpenAiHttp(Transport.Route route) {
    this.route = route;
  }

  @Override
  public HttpResponse execute(HttpRequest request, RequestOptions options) {
    var body = new ByteArrayOutputStream();
    var content = request.body();
    if (content != null) {
      content.writeTo(body);
    }
    try {
      return new Received(
          route.post(
              request.url(),
              Transport.pairs(request.headers().names(), request.headers()::values),
              body.toByteArray()));
    } catch (IOException e) {
      throw new OpenAIIoException("Request failed", e);
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
