package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.Canaries;
import mesh.ServerProcess;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.api.RevocationBehaviour.StartedRun;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sandboxes that must go, when the vendor or Mesh itself is in trouble. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TeardownTest {

  @Test
  void aVendorThatCannotDestroyPutsOffTheEndButNotTheRefusal() throws IOException {
    try (var vendor = SpritesSimulator.start(0);
        var mesh = TestMesh.start()) {
      Runtimes.onlySprites(mesh, vendor);
      var admin = mesh.admin();
      makeAgent(admin);
      var runs = new ArrayList<StartedRun>();
      for (int i = 0; i < 5; i++) {
        var run = start(admin, mesh.url());
        run.exec("true").ok();
        runs.add(run);
      }
      vendor
          .faults()
          .always(CallKind.DELETE, new Fault.Answer(503, Map.of(), "{\"error\":\"down\"}"));

      admin.put("/api/agents/builder/credential-permissions/github", "{\"enabled\":false}").ok();

      var alive =
          Await.until(
              Duration.ofSeconds(30),
              () -> admin.get("/api/workspaces/alive-after-revocation").ok().get("workspaces"),
              list -> list.size() == 5);
      assertThat(alive.get(0).get("revoke_at").get(0).get("url").asString())
          .startsWith("https://github.com/");
      assertThat(alive.get(0).get("workspace").get("release_error").asString()).contains("503");
      assertThat(alive.get(0).get("workspace").get("release_attempts").asInt()).isPositive();
      for (var run : runs) {
        // Nothing is delivered for a read, so only the question before it can refuse this.
        assertThat(run.read().json().get("code").asString()).isEqualTo("authorization_changed");
        assertThat(run.exec("true").json().get("code").asString())
            .isEqualTo("authorization_changed");
      }
      assertThat(vendor.sprites()).hasSize(5);

      vendor.faults().clear();

      Await.until(Duration.ofSeconds(60), vendor::sprites, Map::isEmpty);
      for (var run : runs) {
        Await.until(Duration.ofSeconds(20), run::workspaceStatus, "released"::equals);
        run.finish();
      }
      assertThat(admin.get("/api/workspaces/alive-after-revocation").ok().get("workspaces"))
          .isEmpty();
    }
  }

  /** One backend's vendor hangs in every call; another's sandboxes go as if nothing were. */
  @Test
  void aVendorThatHangsDelaysNoOther() throws IOException {
    try (var vendor = SpritesSimulator.start(0);
        var mesh = TestMesh.start()) {
      Runtimes.onlySprites(mesh, vendor);
      var admin = mesh.admin();
      makeAgent(admin);
      for (int i = 0; i < 20; i++) {
        start(admin, mesh.url()).exec("true").ok();
      }
      admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":true}").ok();
      admin.put("/api/settings/agent-runtimes/sprites", "{\"enabled\":false}").ok();
      var other = start(admin, mesh.url());
      other.exec("true").ok();
      vendor.faults().always(CallKind.DELETE, new Fault.Hang());

      admin.put("/api/agents/builder/credential-permissions/github", "{\"enabled\":false}").ok();

      Await.until(Duration.ofSeconds(10), other::workspaceStatus, "released"::equals);
      assertThat(vendor.sprites()).hasSize(20);
      vendor.faults().clear();
    }
  }

  /** Killed when the grant was written and before its command began. */
  @Test
  void whatADeadInstanceWasAboutToDeliverIsSwept(@TempDir Path folder) throws IOException {
    var database = TestDatabase.fresh();
    var source = "spring.datasource.url=" + database.url();
    try (var vendor = SpritesSimulator.start(0)) {
      String id;
      String token;
      try (var server = ServerProcess.begin(folder, source).ready()) {
        var admin = server.admin();
        Runtimes.onlySprites(admin, vendor);
        admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
        admin
            .put(
                "/api/agents/builder/vault/key", "{\"value\":\"%s\"}".formatted(Canaries.fresh("")))
            .ok();
        var created = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
        id = created.get("id").asString();
        token = created.get("token").asString();
        var run = new StartedRun(id, server.with(token), admin);
        withKey(run);
        // The next call writes the grant, the one after would run the command.
        vendor.faults().after(1, CallKind.EXEC, new Fault.Hang());
        var calls = vendor.calls(CallKind.EXEC).size();
        Thread.ofVirtual()
            .start(() -> {
              try {
                withKey(run);
              } catch (RuntimeException | AssertionError killed) {
                // As intended.
              }
            });
        Await.until(
            Duration.ofSeconds(20),
            () -> vendor.calls(CallKind.EXEC).size(),
            now -> now == calls + 2);
        server.kill();
      }
      vendor.faults().clear();

      try (var server = ServerProcess.begin(folder, source).ready()) {
        var run = new StartedRun(id, server.with(token), server.admin());
        // As soon as the dead one's lease is over.
        Await.until(
            Duration.ofSeconds(60),
            () ->
                run.exec("find ~/.mesh-grants -type f | wc -l; ls ~/.mesh-grants")
                    .ok()
                    .get("stdout")
                    .asString()
                    .lines()
                    .toList(),
            left -> left.getFirst().equals("0") && left.size() <= 2);
        run.finish();
      }
    }
  }

  /** Case 92. */
  @Test
  void aServerThatStopsSaysOfNoSandboxThatItIsGoneBeforeItIs(@TempDir Path folder)
      throws IOException {
    var database = TestDatabase.fresh();
    var source = "spring.datasource.url=" + database.url();
    try (var vendor = SpritesSimulator.start(0)) {
      try (var server = ServerProcess.begin(folder, source).ready()) {
        var admin = server.admin();
        Runtimes.afterFirstRun(admin);
        Runtimes.onlySprites(admin, vendor);
        makeAgent(admin);
        var runs = new ArrayList<StartedRun>();
        for (int i = 0; i < 3; i++) {
          var run = start(admin, server.url());
          run.exec("true").ok();
          runs.add(run);
        }
        vendor.faults().always(CallKind.DELETE, new Fault.Hang());
        runs.forEach(StartedRun::finish);

        server.stop();
      }
      assertThat(vendor.sprites()).hasSize(3);
      assertThat(unreleased(database)).isEqualTo(3);
      vendor.faults().clear();

      try (var _ = ServerProcess.begin(folder, source).ready()) {
        Await.until(Duration.ofSeconds(90), vendor::sprites, Map::isEmpty);
        Await.until(Duration.ofSeconds(30), () -> unreleased(database), left -> left == 0);
      }
    }
  }

  /** Of the vendor's. */
  private static int unreleased(TestDatabase database) {
    return database
        .jdbc()
        .sql(
            "select count(*) from workspaces where state <> 'released' and backend_kind = 'sprites'")
        .query(Integer.class)
        .single();
  }

  private static void withKey(StartedRun run) {
    var call = TestMesh.JSON.createObjectNode().put("script", "true");
    call.putArray("secrets").add("key");
    run.agent().tool("workspace_exec", call.toString()).ok();
  }

  private static void makeAgent(Client admin) {
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"builder\",\"name\":\"B\",\"max_concurrent_workspaces\":100}")
        .ok();
    admin
        .put(
            "/api/agents/builder/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(Canaries.fresh("ghp_")))
        .ok();
  }

  private static StartedRun start(Client admin, String url) {
    var created = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    return new StartedRun(
        created.get("id").asString(), new Client(url, created.get("token").asString()), admin);
  }
}
