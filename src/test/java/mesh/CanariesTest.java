package mesh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import mesh.database.Dump;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No secret is anywhere but in the columns that hold it sealed. The last class of the suite, since
 * it looks at what all others left behind.
 */
@Isolated("after all that runs beside others")
@Order(Integer.MAX_VALUE)
class CanariesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void theSearchFindsACanaryInEachForm(int before) {
    var canary = "x".repeat(before) + Canaries.fresh("ghp_");
    var bytes = canary.getBytes(UTF_8);

    assertThat(Canaries.in("a " + canary + " b")).hasSize(1);
    assertThat(Canaries.in(Base64.getEncoder().encodeToString(bytes))).isNotEmpty();
    assertThat(Canaries.in(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
        .isNotEmpty();
    assertThat(Canaries.in(HexFormat.of().formatHex(bytes))).isNotEmpty();
    assertThat(Canaries.in(HexFormat.of().withUpperCase().formatHex(bytes))).isNotEmpty();
    assertThat(Canaries.in(canary.substring(before + 5))).isEmpty();
  }

  @Test
  void theSearchOfADatabaseFindsACanaryInEveryKindOfColumn() {
    try (var database = TestDatabase.fresh()) {
      var canary = Canaries.fresh("");
      for (var insert :
          List.of(
              "insert into settings (name, value) values ('a', to_json(cast(:canary as text)))",
              "insert into actors (id, kind, name) values (gen_random_uuid(), 'user', :canary)",
              "insert into setup (token_hash, expires_at) values (convert_to(:canary, 'UTF8'), now())")) {
        database.jdbc().sql("delete from settings").update();
        database.jdbc().sql("delete from setup").update();
        database.jdbc().sql("delete from actors where kind = 'user'").update();
        assertThat(Canaries.in(Dump.of(database.jdbc()))).isEmpty();

        database.jdbc().sql(insert).param("canary", canary).update();

        assertThat(Canaries.in(Dump.of(database.jdbc()))).isNotEmpty();
      }
    }
  }

  /** A server of its own, as users run it, through all that touches secrets, trouble included. */
  @Test
  void aRunWithSecretsLeavesNoneBehind(@TempDir Path folder) throws IOException {
    var shown = new ArrayList<String>();
    try (var database = TestDatabase.fresh();
        var vendor = SpritesSimulator.start(0);
        var server =
            ServerProcess.begin(
                    folder, "spring.datasource.url=" + database.url(), "logging.level.mesh=debug")
                .ready()) {
      var admin = server.admin();
      admin
          .put(
              "/api/settings/agent-runtimes/sprites",
              "{\"enabled\":true,\"config\":{\"token\":\"%s\",\"base_url\":\"%s\"}}"
                  .formatted(Canaries.fresh("1/"), vendor.baseUrl()))
          .ok();
      admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
      admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
      var token = Canaries.fresh("ghp_");
      admin
          .put(
              "/api/agents/builder/credentials/github",
              "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(token))
          .ok();
      var value = Canaries.fresh("v\\\"\\n");
      admin.put("/api/agents/builder/vault/key", "{\"value\":\"%s\"}".formatted(value)).ok();
      var created = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
      var run = created.get("id").asString();
      var agent = server.with(created.get("token").asString());

      for (var script :
          List.of(
              "env; cat /proc/self/environ; echo $GH_TOKEN >&2; echo $MESH_SECRET_KEY > kept",
              "echo $GH_TOKEN | base64; echo x$GH_TOKEN | base64; echo xx$GH_TOKEN | base64; cat kept",
              "i=0; while [ $i -lt 3000 ]; do echo $i $GH_TOKEN $MESH_SECRET_KEY; i=$((i+1)); done",
              "git clone https://x:$GH_TOKEN@127.0.0.1:1/o/r; exec $GH_TOKEN")) {
        var call = TestMesh.JSON.createObjectNode().put("script", script);
        call.putArray("secrets").add("key");
        shown.add(agent.tool("workspace_exec", call.toString()).text());
        shown.addAll(agent.events("/api/agent/tools/workspace_exec", call.toString()));
      }
      shown.add(agent.tool("workspace_read_file", "{\"path\":\"kept\"}").text());
      shown.add(
          agent
              .tool("workspace_exec", "{\"argv\":[\"curl\",\"-H\",\"Bearer " + token + "\"]}")
              .text());
      shown.add(agent.tool("workspace_read_file", "{\"path\":\"/tmp/" + token + "/none\"}").text());
      shown.add(agent.tool("no-" + token, "{}").text());
      // Case 6 (d): the vendor repeats what it was told.
      vendor
          .faults()
          .next(3, CallKind.EXEC, new Fault.Answer(500, Map.of(), "{\"error\":\"" + token + "\"}"));
      shown.add(agent.tool("workspace_exec", "{\"argv\":[\"true\"]}").text());
      vendor.faults().clear();
      vendor
          .faults()
          .always(
              CallKind.DELETE, new Fault.Answer(500, Map.of(), "{\"error\":\"" + token + "\"}"));
      shown.add(
          agent
              .post(
                  "/api/agent/finish", "{\"status\":\"failed\",\"summary\":\"used " + token + "\"}")
              .text());
      Await.until(
          Duration.ofSeconds(60), server::output, output -> output.contains("release failed"));
      vendor.faults().clear();
      Await.until(
          Duration.ofSeconds(60),
          () -> admin.get("/api/runs/" + run).ok().get("workspace").get("status").asString(),
          "released"::equals);
      for (var address :
          List.of(
              "/api/runs/" + run,
              "/api/runs/" + run + "/steps?limit=200",
              "/api/runs/" + run + "/grants",
              "/api/activity?limit=200",
              "/api/workspaces",
              "/api/agents/builder/credentials/github",
              "/api/agents/builder/vault")) {
        shown.add(admin.get(address).text());
      }

      assertThat(Canaries.in(String.join("\n", shown))).isEmpty();
      assertThat(String.join("\n", shown)).contains("[REDACTED]");
      assertThat(Canaries.in(server.output())).isEmpty();
      assertThat(Canaries.in(Dump.of(database.jdbc()))).isEmpty();
    }
  }

  @Test
  void nothingThatTheSuiteSawHoldsASecret() {
    assertThat(Canaries.sightings()).isEmpty();
    TestDatabase.eachOfAll(database -> assertThat(Canaries.in(Dump.of(database))).isEmpty());
  }
}
