package mesh.execution.sprites;

import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mesh.execution.BackendException;
import mesh.execution.remote.Exec;
import mesh.execution.remote.ExecChannel;
import mesh.execution.remote.Patience;

/**
 * Opens exec sockets. The program behind one waits for a first line of input, so until that is sent
 * nothing has run and another attempt is safe.
 */
final class Connector implements Exec, AutoCloseable {

  /** A cold sprite boots first. */
  private static final Duration HANDSHAKE = Duration.ofSeconds(60);

  /** The vendor says who a session is as the first thing on it. */
  private static final Duration ATTACHED = Duration.ofSeconds(20);

  private final Account account;
  private final SpritesApi api;
  private final Residents residents;
  private final Patience patience;

  /**
   * Listeners are called by the client's selector thread, which they do not hold up. Handing each
   * call to another thread, the client forgets to tell of a connection that ends just then.
   */
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          .followRedirects(HttpClient.Redirect.NEVER)
          .executor(Runnable::run)
          .build();

  Connector(Account account, SpritesApi api, Residents residents, Patience patience) {
    this.account = account;
    this.api = api;
    this.residents = residents;
    this.patience = patience;
  }

  /** An attached session. */
  @Override
  public Session open(String name, List<String> argv) throws InterruptedException {
    return patience.retrying(() -> openOnce(name, argv));
  }

  @Override
  public void kill(String name, ExecChannel channel) throws InterruptedException {
    if (channel instanceof Session session) {
      residents.kill(name, session.id().getNow(""));
    }
  }

  /** The vendor does not say. */
  @Override
  public boolean ranOutOfMemory(String name) {
    return false;
  }

  private Session openOnce(String name, List<String> argv) throws InterruptedException {
    var session = new Session();
    var opening =
        client
            .newWebSocketBuilder()
            .header("Authorization", account.authorization())
            .buildAsync(account.exec(name, argv), session);
    try {
      session.opened(await(opening, HANDSHAKE));
      var _ = await(session.id(), ATTACHED);
      return session;
    } catch (ExecutionException failure) {
      session.close();
      throw failed(name, Rest.cause(failure));
    } catch (TimeoutException slow) {
      abandon(opening, session);
      throw new BackendException.Unavailable(
          "Fly Sprites did not start a command in time", Duration.ZERO, null);
    } catch (InterruptedException cancel) {
      abandon(opening, session);
      throw cancel;
    }
  }

  private static <T> T await(CompletableFuture<T> coming, Duration time)
      throws InterruptedException, ExecutionException, TimeoutException {
    return coming.get(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void abandon(CompletableFuture<WebSocket> opening, Session session) {
    session.close();
    var _ = opening.thenAccept(WebSocket::abort);
  }

  private BackendException failed(String name, Throwable cause) throws InterruptedException {
    if (!(cause instanceof WebSocketHandshakeException handshake)) {
      return Rest.unreachable(cause);
    }
    var response = handshake.getResponse();
    var body = response.body() instanceof String text ? text : "";
    var answer =
        new Answer(
            response.statusCode(), response.headers().firstValue("Retry-After").orElse(""), body);
    if (answer.status() != 404) {
      return answer.refusal(account);
    }
    return api.exists(name)
        ? new BackendException.Unavailable(
            "Fly Sprites did not find the sprite " + name + ", though it lists it",
            Duration.ZERO,
            null)
        : SpritesApi.gone(name);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
