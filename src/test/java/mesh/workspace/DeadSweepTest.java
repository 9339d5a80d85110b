package mesh.workspace;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntSupplier;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.util.FileSystemUtils;

/** A thread that looks after workspaces and does not any more is missed. */
class DeadSweepTest {

  @Test
  void oneThatDiedIsMissed() throws IOException {
    isMissed(() -> {
      throw new AssertionError("what nobody catches ends the thread");
    });
  }

  @Test
  void oneThatHangsAndCannotBeInterruptedIsMissed() throws IOException {
    var never = new CountDownLatch(1);
    isMissed(() -> {
      while (true) {
        try {
          never.await();
        } catch (InterruptedException deaf) {
          // A driver that swallows it.
        }
      }
    });
  }

  @Test
  void oneThatFailsIsNotMissed() throws IOException {
    var dying =
        new Dying(() -> {
          throw new IllegalStateException("once more");
        });
    with(
        dying,
        (mesh, tries) -> {
          Await.until(Duration.ofSeconds(10), tries::getAsInt, number -> number > 30);
          assertThat(mesh.get("/actuator/health/readiness").ok().get("status").asString())
              .isEqualTo("UP");
        });
  }

  private static void isMissed(Runnable end) throws IOException {
    with(
        new Dying(end),
        (mesh, _) -> {
          var health =
              Await.until(
                  Duration.ofSeconds(20),
                  () -> mesh.get("/actuator/health/readiness"),
                  answer -> answer.status() == 503);
          var sweeps = health.json().get("components").get("sweeps");
          assertThat(sweeps.get("details").get("silent").propertyNames()).containsExactly("dying");
          assertThat(mesh.get("/actuator/health/liveness").status()).isEqualTo(200);
        });
  }

  private static void with(Dying dying, Look look) throws IOException {
    var folder = Files.createTempDirectory("mesh-dying-");
    var application = TestMesh.application();
    application.addInitializers(
        starting -> starting.getBeanFactory().registerSingleton("dying", dying));
    try (var context =
        (ServletWebServerApplicationContext)
            application.run(
                "--server.port=0",
                "--spring.datasource.url=" + TestDatabase.fresh().url(),
                "--mesh.workspaces.sweep-limit=1s",
                "--mesh.data-dir=" + folder)) {
      var token = Files.readString(folder.resolve("bootstrap-token")).strip();
      var url = "http://127.0.0.1:" + requireNonNull(context.getWebServer()).getPort();
      look.at(new Client(url, token), () -> dying.tries);
    } finally {
      FileSystemUtils.deleteRecursively(folder.toFile());
    }
  }

  private interface Look {
    void at(Client mesh, IntSupplier tries);
  }

  private static final class Dying implements Sweep {

    private final Runnable end;
    private volatile int tries;

    Dying(Runnable end) {
      this.end = end;
    }

    @Override
    public String name() {
      return "dying";
    }

    @Override
    public Duration period() {
      return Duration.ofMillis(100);
    }

    @Override
    public void sweep() {
      tries = tries + 1;
      end.run();
    }
  }
}
