package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh;
import mesh.database.FaultyDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;

/** Up only while Mesh can serve; alive for as long as no restart would help. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ReadinessTest {

  private static final String READY = "/actuator/health/readiness";
  private static final String ALIVE = "/actuator/health/liveness";

  /** An answer is remembered for one second and waited for two. */
  private static final Duration BOUND = Duration.ofSeconds(4);

  @Nested
  class WhenTheDatabaseIs {

    private final FaultyDatabase database = FaultyDatabase.start();
    private final TestMesh mesh = TestMesh.at(database.url());

    @AfterEach
    void stop() {
      mesh.close();
      database.close();
    }

    @Test
    void stopped() {
      isNotReady(FaultyDatabase::stop, FaultyDatabase::startAgain);
    }

    @Test
    void frozen() {
      isNotReady(FaultyDatabase::freeze, FaultyDatabase::thaw);
    }

    @Test
    void cutOff() {
      isNotReady(FaultyDatabase::cut, FaultyDatabase::mend);
    }

    private void isNotReady(Consumer<FaultyDatabase> begin, Consumer<FaultyDatabase> end) {
      assertThat(status(mesh.url() + READY)).isEqualTo(200);

      begin.accept(database);

      Await.until(
          Duration.ofSeconds(10), () -> bounded(mesh.url() + READY), status -> status == 503);
      // No restart mends it, and whatever asks is answered in time, also by many at once.
      assertThat(bounded(mesh.url() + ALIVE)).isEqualTo(200);
      for (int i = 0; i < 20; i++) {
        assertThat(bounded(mesh.url() + READY)).isEqualTo(503);
      }
      end.accept(database);
      Await.until(
          Duration.ofSeconds(60), () -> bounded(mesh.url() + READY), status -> status == 200);
    }
  }

  @Nested
  class WhoAsks {

    private final TestMesh mesh = TestMesh.start();

    @AfterEach
    void stop() {
      mesh.close();
    }

    @Test
    void isToldWhyOnlyWithAToken() throws Exception {
      assertThat(send(mesh.url() + READY, "").body()).isEqualTo("{\"status\":\"UP\"}");

      var told = mesh.admin().get(READY).ok();

      assertThat(told.get("components").propertyNames())
          .containsExactlyInAnyOrder("database", "readinessState", "sweeps");
      assertThat(mesh.with("mesh_nobody").get(READY).status()).isEqualTo(401);
    }

    @Test
    void isTurnedAwayFromAServerThatIsStopping() {
      mesh.publish(new AvailabilityChangeEvent<>(this, ReadinessState.REFUSING_TRAFFIC));

      assertThat(status(mesh.url() + READY)).isEqualTo(503);
      assertThat(status(mesh.url() + ALIVE)).isEqualTo(200);
    }
  }

  @Test
  void aFullDiskUnderTheEmbeddedDatabaseIsTold() throws IOException {
    var folder = Files.createTempDirectory("mesh-full-");
    try (var server = ServerProcess.begin(folder, "mesh.health.min-free-disk=1000000TB")) {
      Await.until(Duration.ofMinutes(2), () -> status(server.url() + READY), now -> now == 503);
      // It answers before it has quite started.
      Await.until(Duration.ofMinutes(1), () -> status(server.url() + ALIVE), alive -> alive == 200);
      Await.until(
          Duration.ofMinutes(1),
          () -> Files.exists(folder.resolve("bootstrap-token")),
          written -> written);

      var disk =
          Await.until(
              Duration.ofMinutes(1),
              () -> server.admin().get(READY).json().path("components").path("disk"),
              component -> !component.isMissingNode());
      assertThat(disk.path("status").asString()).isEqualTo("DOWN");
      assertThat(disk.path("details").path("why").asString())
          .contains("make room, or lower mesh.health.min-free-disk");
      assertThat(server.output()).contains("not healthy what=\"disk\"");
    }
  }

  private static int bounded(String url) {
    long began = System.nanoTime();
    int status = status(url);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(BOUND);
    return status;
  }

  private static int status(String url) {
    try {
      return send(url, "").statusCode();
    } catch (IOException notThere) {
      return 0;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> send(String url, String token)
      throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
