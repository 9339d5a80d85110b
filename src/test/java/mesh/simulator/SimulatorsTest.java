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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator as a program of its own. */
class SimulatorsTest {

  @TempDir private Path folder;

  private record Program(Process process, BufferedReader output) implements AutoCloseable {

    String line() throws IOException {
      return output.readLine();
    }

    @Override
    public void close() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  @BeforeAll
  static void namespacesArePossible() {
    Suites.require(
        "the simulators", Namespace.isPossible(), "unshare is not permitted on this machine");
  }

  private Program start(String simulator) throws IOException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "mesh.simulator.Simulators",
                simulator,
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    return new Program(process, output);
  }

  @Test
  void saysItIsReadyFirstAndLeavesNothingWhenItIsStopped() throws Exception {
    try (var program = start("sprites")) {
      assertThat(program.line()).isEqualTo("ready");
      startSleeper(program.line(), "3620");

      program.process().destroy();

      assertThat(program.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(sleepers("3620")).isZero();
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void leavesNoProcessEvenWhenItIsKilled() throws Exception {
    try (var program = start("sprites")) {
      assertThat(program.line()).isEqualTo("ready");
      startSleeper(program.line(), "3621");
    }

    await("3621", 0);
  }

  @Test
  void servesModalToo() throws Exception {
    try (var program = start("modal")) {
      assertThat(program.line()).isEqualTo("ready");
      assertThat(program.line()).matches("http://127\\.0\\.0\\.1:[0-9]+");
      assertThat(folder).isNotEmptyDirectory();

      program.process().destroy();

      assertThat(program.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(folder).isEmptyDirectory();
    }
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
