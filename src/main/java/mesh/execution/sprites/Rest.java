package mesh.execution.sprites;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import mesh.execution.BackendException;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Single requests to the vendor, without second attempts.
 *
 * <p>A call is made on a thread of the client's and awaited, because an interrupt does not reach a
 * thread that is blocked in a socket unless it is a virtual one.
 */
final class Rest implements AutoCloseable {

  /** Most characters of an answer that are kept; a page of a list is about 300 KiB. */
  private static final long MOST_BYTES = 8L * 1024 * 1024;

  private static final MediaType JSON = MediaType.get("application/json");

  private final Account account;
  private final OkHttpClient client;

  Rest(Account account) {
    this.account = account;
    var dispatcher = new Dispatcher(Executors.newVirtualThreadPerTaskExecutor());
    // The default of 5 at a host would queue the sixth workspace behind a slow create.
    dispatcher.setMaxRequests(1024);
    dispatcher.setMaxRequestsPerHost(1024);
    this.client =
        new OkHttpClient.Builder()
            .dispatcher(dispatcher)
            .followRedirects(false)
            .followSslRedirects(false)
            .connectTimeout(Duration.ofSeconds(10))
            .readTimeout(Duration.ofSeconds(60))
            .writeTimeout(Duration.ofSeconds(60))
            .callTimeout(Duration.ofSeconds(120))
            .build();
  }

  Answer get(HttpUrl url) throws InterruptedException {
    return send(request(url).get().build());
  }

  Answer post(HttpUrl url, String json) throws InterruptedException {
    return send(request(url).post(RequestBody.create(json, JSON)).build());
  }

  Answer delete(HttpUrl url) throws InterruptedException {
    return send(request(url).delete().build());
  }

  private Request.Builder request(HttpUrl url) {
    return new Request.Builder().url(url).header("Authorization", account.authorization());
  }

  private Answer send(Request request) throws InterruptedException {
    var call = client.newCall(request);
    var arriving = new Arriving();
    call.enqueue(arriving);
    try {
      return arriving.answer.get();
    } catch (InterruptedException cancel) {
      call.cancel();
      throw cancel;
    } catch (ExecutionException failure) {
      throw unreachable(cause(failure));
    }
  }

  static Throwable cause(ExecutionException failure) {
    var cause = failure.getCause();
    return cause == null ? failure : cause;
  }

  static BackendException.Unavailable unreachable(Throwable trouble) {
    return new BackendException.Unavailable(
        "Fly Sprites could not be reached: " + trouble.getClass().getSimpleName(),
        Duration.ZERO,
        trouble);
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }

  private static final class Arriving implements Callback {
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    @Override
    public void onFailure(Call call, IOException trouble) {
      answer.completeExceptionally(trouble);
    }

    @Override
    public void onResponse(Call call, Response response) {
      try (response) {
        var after = response.header("Retry-After");
        var body = response.peekBody(MOST_BYTES).string();
        answer.complete(new Answer(response.code(), after == null ? "" : after, body));
      } catch (IOException trouble) {
        answer.completeExceptionally(trouble);
      }
    }
  }
}
