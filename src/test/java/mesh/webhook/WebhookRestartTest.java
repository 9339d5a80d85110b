package mesh.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import mesh.Await;
import mesh.ServerProcess;
import mesh.database.TestDatabase;
import mesh.webhook.Receiver.Reply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed after a run was created and before anybody was told of it. */
class WebhookRestartTest {

  @TempDir Path folder;

  @Test
  void whatWasNotToldIsToldAfterTheRestart() {
    try (var database = TestDatabase.fresh();
        var receiver = Receiver.start().replies(_ -> Reply.HANG)) {
      String[] properties = {"spring.datasource.url=" + database.url(), "mesh.webhooks.timeout=2s"};
      String address;
      try (var server = ServerProcess.begin(folder, properties).ready()) {
        var admin = server.admin();
        admin.post("/api/agents", "{\"slug\":\"a\",\"name\":\"A\"}").ok();
        address =
            "/api/settings/webhooks/"
                + admin
                    .post(
                        "/api/settings/webhooks",
                        "{\"name\":\"a\",\"url\":\"%s\",\"allow_private\":true,\"events\":[\"run.created\"]}"
                            .formatted(receiver.url()))
                    .ok()
                    .get("id")
                    .asString()
                + "/deliveries";
        admin.post("/api/runs", "{\"agent\":\"a\",\"mode\":\"external\"}").ok();
        receiver.await(1);
        server.kill();
      }
      receiver.replies(_ -> Reply.OK);

      try (var server = ServerProcess.begin(folder, properties).ready()) {
        var admin = server.admin();
        var told =
            Await.until(
                Duration.ofSeconds(40),
                () -> admin.get(address).ok().get("deliveries").get(0),
                it -> it.get("status").asString().equals("delivered"));

        assertThat(receiver.calls().stream().map(Receiver.Call::id).distinct())
            .containsExactly(told.get("id").asString());
        assertThat(told.get("attempts").asInt()).isEqualTo(2);
      }
    }
  }
}
