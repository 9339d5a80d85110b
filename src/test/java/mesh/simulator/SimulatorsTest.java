package mesh.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator as a program of its own. */
class SimulatorsTest {

  @TempDir private Path folder;
  private Process program;
  private BufferedReader output;

  @BeforeEach
  void start() throws Exception {
    Suites.require(
        "the Sprites simulator",
        Namespace.isPossible(),
        "unshare is not permitted on this machine");
    program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "mesh.simulator.Simulators",
                "sprites",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    output = new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8));
  }

  @AfterEach
  void stop() throws Exception {
    program.destroyForcibly().waitFor();
  }

  @Test
  void saysItIsReadyFirstAndLeavesNothingWhenItIsStopped() throws Exception {
    assertThat(output.readLine()).isEqualTo("ready");
    startSleeper(output.readLine(), "3620");

    program.destroy();

    assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(sleepers("3620")).isZero();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void leavesNoProcessEvenWhenItIsKilled() throws Exception {
    assertThat(output.readLine()).isEqualTo("ready");
    startSleeper(output.readLine(), "3621");

    program.destroyForcibly().waitFor();

    await("3621", 0);
  }

  private static void startSleeper(String baseUrl, String seconds) throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      send(http, "POST", baseUrl + "/v1/sprites", "{\"name\":\"one\"}");
      var exec = baseUrl.replace("http:", "ws:") + "/v1/sprites/one/exec?cmd=sleep&cmd=" + seconds;
      var socket =
          http.newWebSocketBuilder()
              .header("Authorization", "Bearer any")
              .buildAsync(URI.create(exec), new WebSocket.Listener() {})
              .get();
      await(seconds, 1);
      socket.abort();
    }
  }

  private static void send(HttpClient http, String method, String uri, String body)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(uri))
            .header("Authorization", "Bearer any")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(201);
  }

  private static void await(String seconds, long count) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (sleepers(seconds) != count) {
      assertThat(System.nanoTime()).as("sleepers in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static long sleepers(String seconds) {
    return ProcessHandle.allProcesses()
        .map(it -> Path.of("/proc/" + it.pid() + "/cmdline"))
        .filter(it -> contentOf(it).equals("sleep\0" + seconds + "\0"))
        .count();
  }

  private static String contentOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // The process has ended meanwhile.
      return "";
    }
  }
}
