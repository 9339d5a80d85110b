package mesh.execution.kubernetes;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mesh.execution.BackendException;
import mesh.execution.remote.Exec;
import mesh.execution.remote.ExecChannel;
import mesh.execution.remote.Patience;

/**
 * Opens exec sockets, each to a program that waits for a first line of input: until that is sent
 * nothing has run and another attempt is safe. A sandbox's name here is its {@link Identity}.
 */
final class Connector implements Exec, AutoCloseable {

  private static final int STARTS = 64;
  private static final int STARTS_IN_POD = 8;

  private final Access access;
  private final Cluster cluster;
  private final Pods pods;
  private final Waits waits;
  private final Patience patience;
  private final Gate gate = new Gate(STARTS, STARTS_IN_POD);
  private final Set<Session> open = ConcurrentHashMap.newKeySet();
  private final HttpClient client;

  Connector(Access access, Cluster cluster, Pods pods, Waits waits, Patience patience) {
    this.access = access;
    this.cluster = cluster;
    this.pods = pods;
    this.waits = waits;
    this.patience = patience;
    // Listeners are called by the client's selector thread, which they do not hold up.
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .followRedirects(HttpClient.Redirect.NEVER)
            .sslContext(access.tls())
            .executor(Runnable::run)
            .build();
  }

  @Override
  public Session open(String sandbox, List<String> argv) throws InterruptedException {
    var identity = Identity.parse(sandbox);
    return patience.retrying(() -> gate.through(identity.pod(), () -> openOnce(identity, argv)));
  }

  private Session openOnce(Identity identity, List<String> argv) throws InterruptedException {
    var session = new Session(open::remove);
    var builder = client.newWebSocketBuilder().subprotocols(Session.V5, Session.V4);
    var token = access.token().get();
    if (!token.isEmpty()) {
      builder.header("Authorization", "Bearer " + token);
    }
    var opening = builder.buildAsync(address(identity, argv), session);
    try {
      var socket = await(opening, waits.answer());
      session.opened(socket);
      if (socket.getSubprotocol().isEmpty()) {
        throw new BackendException.Unexpected(
            "the cluster speaks neither version 5 nor version 4 of the exec protocol", null);
      }
      await(session.greeted(), waits.answer());
      open.add(session);
      return session;
    } catch (ExecutionException failure) {
      session.close();
      throw failed(identity, failure.getCause() == null ? failure : failure.getCause());
    } catch (TimeoutException slow) {
      abandon(opening, session);
      pods.require(identity);
      throw new BackendException.Unavailable(
          "Kubernetes did not start a command in time", Duration.ZERO, null);
    } catch (InterruptedException | RuntimeException cancel) {
      abandon(opening, session);
      throw cancel;
    }
  }

  /** The script is all that an audit log gets to see of a command. */
  private URI address(Identity identity, List<String> argv) {
    var address =
        new StringBuilder(access.server().replaceFirst("^http", "ws"))
            .append("/api/v1/namespaces/")
            .append(encoded(cluster.namespace()))
            .append("/pods/")
            .append(encoded(identity.pod()))
            .append("/exec?stdin=true&stdout=true&stderr=true&container=")
            .append(Manifest.CONTAINER);
    Greeting.before(argv, identity)
        .forEach(word -> address.append("&command=").append(encoded(word)));
    return URI.create(address.toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static <T> T await(CompletableFuture<T> coming, Duration time)
      throws InterruptedException, ExecutionException, TimeoutException {
    return coming.get(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void abandon(CompletableFuture<WebSocket> opening, Session session) {
    session.close();
    var _ = opening.thenAccept(WebSocket::abort);
  }

  /** Asks the pod itself: a node answers the same whether its pod is gone or not yet there. */
  private BackendException failed(Identity identity, Throwable cause) throws InterruptedException {
    if (cause instanceof Greeting.StrangerException) {
      return Pods.gone(identity, "was replaced by another of its name");
    }
    int code =
        cause instanceof WebSocketHandshakeException handshake
            ? handshake.getResponse().statusCode()
            : 0;
    if (code == 401) {
      return new BackendException.Rejected("Kubernetes answered 401 to a command", null);
    }
    if (code == 403) {
      return cluster.forbidden("to a command");
    }
    if (code == 429) {
      return new BackendException.Unavailable(
          "Kubernetes answered 429 to a command", wait(cause), null);
    }
    pods.require(identity);
    if (cause instanceof Greeting.NotStartedException notStarted) {
      return notStarted(identity, Demise.text(notStarted.getMessage()));
    }
    return code == 0
        ? Refusal.unreachable(cause)
        : new BackendException.Unavailable(
            "Kubernetes answered %d to a command in the pod %s, which runs"
                .formatted(code, identity.pod()),
            wait(cause),
            null);
  }

  private static Duration wait(Throwable cause) {
    return cause instanceof WebSocketHandshakeException handshake
        ? handshake
            .getResponse()
            .headers()
            .firstValue("Retry-After")
            .filter(seconds -> seconds.matches("[0-9]{1,5}"))
            .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
            .orElse(Duration.ZERO)
        : Duration.ZERO;
  }

  private BackendException notStarted(Identity identity, String words) {
    var message =
        "the pod %s did not start a shell: %s"
            .formatted(identity.pod(), access.cleaned(Refusal.line(words)));
    return words.contains("exec: \"sh\"")
        ? new BackendException.Rejected(message, null)
        : new BackendException.Unavailable(message, Duration.ZERO, null);
  }

  /** The cluster has no means to end a program but to end its pod. */
  @Override
  public void kill(String sandbox, ExecChannel channel) {}

  /**
   * Reads it off the pod, which ends as a whole where its control group does; otherwise off the
   * kernel's count of kills, which must have grown since the command of this thread began.
   */
  @Override
  public boolean ranOutOfMemory(String sandbox) throws InterruptedException {
    var identity = Identity.parse(sandbox);
    try {
      return wasKilledFor(identity);
    } catch (BackendException.SandboxGone gone) {
      if (pods.find(identity.pod())
          .filter(identity::isOf)
          .flatMap(Demise::of)
          .filter(Demise::outOfMemory)
          .isPresent()) {
        return true;
      }
      throw gone;
    }
  }

  private boolean wasKilledFor(Identity identity) throws InterruptedException {
    var look = waits.look(waits.death());
    do {
      pods.require(identity);
      try (var second = gate.through(identity.pod(), () -> openOnce(identity, List.of("cat")))) {
        long now = second.kills();
        return open.stream()
            .filter(Session::isUsedHere)
            .mapToLong(Session::kills)
            .anyMatch(before -> before >= 0 && before < now);
      } catch (BackendException.Unavailable dying) {
        // Its container ended and its node has yet to say so.
      }
    } while (look.again());
    return false;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
