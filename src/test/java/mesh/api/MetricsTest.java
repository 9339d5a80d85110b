package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Mesh's own metrics after a run that did a bit of everything. */
class MetricsTest {

  private static final Path DOCS = Path.of("docs/operating.md");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| `(mesh\\.[a-z_.]+)(?:\\{([a-z_, ]+)})?` \\| (?:timer|counter|gauge) \\|");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-|[0-9a-f]{16,}");

  private static SpritesSimulator vendor;
  private static TestMesh mesh;

  @BeforeAll
  static void somethingOfEverything() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlySprites(mesh, vendor);
    var admin = mesh.admin();
    admin.post("/api/agents", "{\"slug\":\"measured\",\"name\":\"M\"}").ok();
    var token = Canaries.fresh("ghp_");
    admin
        .put(
            "/api/agents/measured/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(token))
        .ok();
    var run = admin.post("/api/runs", "{\"agent\":\"measured\",\"mode\":\"external\"}").ok();
    var agent = mesh.with(run.get("token").asString());
    agent.exec("sh", "-c", "echo $GH_TOKEN");
    agent.tool("workspace_write_file", "{\"path\":\"a\",\"content\":\"b\"}").ok();
    agent.tool("workspace_read_file", "{\"path\":\"a\"}").ok();
    agent.tool("workspace_list", "{}").ok();
    assertThat(agent.tool("no_such_tool", "{}").status()).isEqualTo(404);
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
    Await.until(
        Duration.ofSeconds(30),
        () -> scraped("mesh_workspace_release_seconds_count{backend=\"sprites\",outcome=\"gone\"}"),
        count -> count == 1);
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  @Test
  void theListForOperatorsIsWhole() throws IOException {
    assertThat(exposed()).isEqualTo(documented());
  }

  /** What this test's run does not reach has to be in the list all the same. */
  @Test
  void everyNameInTheSourceIsInTheList() throws IOException {
    var made =
        Pattern.compile(
            "(?:builder|begin|counter|timer|gauge)\\(\\s*\"(mesh\\.[a-z_.]+)\""
                + "|String [A-Z_]+ = \"(mesh\\.[a-z]+\\.[a-z_.]+)\"");
    try (var files = Files.walk(Path.of("src/main/java"))) {
      var names =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.getFileName().toString().equals("Telemetry.java"))
              .flatMap(file -> made.matcher(text(file)).results())
              .map(found -> found.group(1) == null ? found.group(2) : found.group(1))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(names).isNotEmpty().isSubsetOf(documented().keySet());
    }
  }

  /** Rule 19: an id would make a new series each time. */
  @Test
  void noTagHoldsAnId() {
    assertThat(ours().flatMap(meter -> meter.getId().getTags().stream()).map(Tag::getValue))
        .isNotEmpty()
        .noneMatch(ID.asPredicate());
  }

  @Test
  void theyCountWhatHappened() {
    assertThat(
            scraped("mesh_tool_call_seconds_count{outcome=\"finished\",tool=\"workspace_exec\"}"))
        .isGreaterThanOrEqualTo(1);
    assertThat(scraped("mesh_tool_call_seconds_count{outcome=\"refused\",tool=\"unknown\"}"))
        .isEqualTo(1);
    assertThat(
            scraped(
                "mesh_workspace_acquire_seconds_count{backend=\"sprites\",outcome=\"created\"}"))
        .isEqualTo(1);
    assertThat(scraped("mesh_workspace_exec_seconds_count{outcome=\"exited\"}"))
        // The first start's own run has some, too.
        .isGreaterThanOrEqualTo(1);
    assertThat(scraped("mesh_workspace_redactions_total")).isEqualTo(1);
    assertThat(scraped("mesh_workspace_authorization_read_seconds_count{outcome=\"answered\"}"))
        .isGreaterThanOrEqualTo(3);
    assertThat(scraped("mesh_execution_call_seconds_count{backend=\"sprites\",call=\"acquire\""))
        .isEqualTo(1);
    assertThat(scraped("mesh_workspace_sweep_seconds_count{outcome=\"done\",sweep=\"census\"}"))
        .isGreaterThanOrEqualTo(1);
  }

  @Test
  void vendorsTroublesAreCountedByWhoCanHelp() {
    var admin = mesh.admin();
    admin.post("/api/agents", "{\"slug\":\"unlucky\",\"name\":\"U\"}").ok();
    var run = admin.post("/api/runs", "{\"agent\":\"unlucky\",\"mode\":\"external\"}").ok();
    vendor.faults().always(CallKind.CREATE, Fault.status(401));
    try {
      var refused =
          mesh.with(run.get("token").asString()).tool("workspace_exec", "{\"argv\":[\"true\"]}");
      assertThat(refused.status()).as(refused.text()).isEqualTo(409);
    } finally {
      vendor.faults().clear();
    }

    assertThat(
            scraped(
                "mesh_execution_call_seconds_count{backend=\"sprites\",call=\"acquire\",outcome=\"rejected\"}"))
        .isEqualTo(1);
    assertThat(
            scraped(
                "mesh_workspace_acquire_seconds_count{backend=\"sprites\",outcome=\"rejected\"}"))
        .isEqualTo(1);
  }

  @Test
  void anEndedCommandSaysHowLongTheRevocationTook() throws Exception {
    var before = scraped("mesh_workspace_revocation_seconds_count{cause=\"released\"}");
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"measured\",\"mode\":\"external\"}").ok();
    var agent = mesh.with(created.get("token").asString());
    var command =
        Thread.ofVirtual()
            .start(() -> agent.tool("workspace_exec", "{\"argv\":[\"sleep\",\"60\"]}"));
    // What makes a sandbox runs commands too, in which there is nothing to end yet.
    Await.until(
        Duration.ofSeconds(20), () -> scraped("mesh_workspace_operations"), held -> held == 1);
    Await.until(Duration.ofSeconds(20), vendor::runningCommands, running -> running == 1);

    mesh.admin().post("/api/runs/" + created.get("id").asString() + "/cancel", "{}").ok();

    command.join();
    Await.until(
        Duration.ofSeconds(10),
        () -> scraped("mesh_workspace_revocation_seconds_count{cause=\"released\"}"),
        count -> count == before + 1);
    assertThat(scraped("mesh_workspace_revocation_seconds_max{cause=\"released\"}"))
        .isBetween(0.0, 6.0);
  }

  @Test
  void liveWorkspacesAreCountedInOneQuery() {
    Await.until(
        Duration.ofSeconds(40),
        () -> scraped("mesh_workspace_live{status=\"stranded\"}"),
        count -> count == 0);
    assertThat(scraped("mesh_workspace_teardown_backlog")).isGreaterThanOrEqualTo(0);
  }

  private static double scraped(String series) {
    return mesh.admin()
        .get("/actuator/prometheus")
        .text()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static Stream<Meter> ours() {
    return mesh.bean(MeterRegistry.class).getMeters().stream()
        .filter(meter -> meter.getId().getName().startsWith("mesh."));
  }

  private static Map<String, Set<String>> exposed() {
    var all = new TreeMap<String, Set<String>>();
    ours()
        .map(Meter::getId)
        .filter(Predicate.not(id -> id.getName().endsWith(".percentile")))
        .forEach(id ->
            all.computeIfAbsent(id.getName(), _ -> new TreeSet<>())
                .addAll(
                    id.getTags().stream()
                        .map(Tag::getKey)
                        .filter(key -> !Set.of("le", "phi").contains(key))
                        .toList()));
    return all;
  }

  private static Map<String, Set<String>> documented() throws IOException {
    var all = new TreeMap<String, Set<String>>();
    ROW.matcher(Files.readString(DOCS))
        .results()
        .forEach(row ->
            all.put(
                row.group(1),
                new TreeSet<>(
                    row.group(2) == null
                        ? List.of()
                        : Arrays.asList(row.group(2).split(",\\s*")))));
    return all;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
