package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** Speaks the protocol of commands plainly. */
final class ExecClient implements AutoCloseable {

  private final OkHttpClient sockets =
      new OkHttpClient.Builder().readTimeout(Duration.ZERO).retryOnConnectionFailure(false).build();
  private final KubernetesSimulator cluster;

  ExecClient(KubernetesSimulator cluster) {
    this.cluster = cluster;
  }

  /** Runs a shell script to its status, or to the end of the connection. */
  Conversed run(String pod, String script) throws ExecutionException, InterruptedException {
    return start("v5.channel.k8s.io", pod, "sh", "-c", script).awaitEnd();
  }

  /**
   * Starts a command with input.
   *
   * @throws ExecutionException caused by {@link Conversed.Refused} if it is answered with a status
   */
  Conversed start(String protocols, String pod, String... argv)
      throws ExecutionException, InterruptedException {
    var command =
        Arrays.stream(argv)
            .map(it -> "&command=" + URLEncoder.encode(it, UTF_8))
            .collect(Collectors.joining());
    var request =
        new Request.Builder()
            .url(
                cluster.url()
                    + "/api/v1/namespaces/default/pods/"
                    + pod
                    + "/exec?stdin=true&stdout=true&stderr=true"
                    + command)
            .header("Authorization", "Bearer " + cluster.token())
            .header("Sec-WebSocket-Protocol", protocols)
            .build();
    var conversed = new Conversed();
    sockets.newWebSocket(request, conversed);
    conversed.opened().get();
    return conversed;
  }

  @Override
  public void close() {
    sockets.dispatcher().executorService().shutdown();
    sockets.connectionPool().evictAll();
  }
}
