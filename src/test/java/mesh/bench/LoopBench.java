package mesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import mesh.Await;
import mesh.Canaries;
import mesh.ServerProcess;
import mesh.TestMesh.Client;
import mesh.simulator.model.ModelReply;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelSimulator;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * What the loop itself takes per step, beside the model and the tool: the time from the end of one
 * call to the beginning of the next, with a scripted model (which answers at once) and with a
 * simulated service over HTTP; then 200 runs at once; then what runs cost that wait for somebody.
 *
 * <p>{@code ./mvnw -q test-compile exec:exec@bench -Dbench=mesh.bench.LoopBench}
 */
public final class LoopBench {

  private static final int CALLS = 150;
  private static final int CROWD = 200;
  private static final int CALLS_IN_A_CROWD = 10;
  private static final int WAITING = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private LoopBench() {}

  public static void main(String[] arguments) throws IOException {
    var folder = Files.createTempDirectory("mesh-bench-");
    try (var server = ServerProcess.begin(folder).ready();
        var service = ModelSimulator.start(0)) {
      var admin = server.admin();
      agent(admin, "scripted", scripted(CALLS, "[\"true\"]"));
      agent(admin, "crowd", scripted(CALLS_IN_A_CROWD, "[\"true\"]"));
      agent(
          admin,
          "asks",
          "{\"kind\":\"scripted\",\"steps\":[{\"tool\":\"ask\",\"arguments\":{\"question\":\"?\"}}]}");
      connect(admin, service);
      for (int round = 0; round < 2; round++) {
        alone(admin, "scripted", round == 0 ? "first, cold" : "scripted model");
        alone(admin, "remote", round == 0 ? "first, cold" : "model over HTTP");
      }
      crowd(admin);
      waiting(server, admin);
    }
    FileSystemUtils.deleteRecursively(folder);
  }

  private static void connect(Client admin, ModelSimulator service) {
    admin
        .put(
            "/api/settings/models/bench",
            "{\"wire\":\"anthropic\",\"base_url\":\"%s\",\"key\":\"%s\",\"allow_private\":true}"
                .formatted(service.anthropic(), Canaries.fresh("sk-")))
        .ok();
    agent(
        admin,
        "remote",
        "{\"connection\":\"bench\",\"model\":\"m\",\"context_tokens\":100000,\"max_steps\":1000}");
    service.script(request ->
        request.rounds() >= CALLS
            ? ModelReply.says("Done.")
            : ModelReply.calls(
                new Call("c-" + request.rounds(), "workspace_exec", "{\"argv\":[\"true\"]}")));
  }

  private static String scripted(int calls, String argv) {
    var step = "{\"tool\":\"workspace_exec\",\"arguments\":{\"argv\":%s}}".formatted(argv);
    return "{\"kind\":\"scripted\",\"max_steps\":1000,\"steps\":[%s]}"
        .formatted(String.join(",", Collections.nCopies(calls, step)));
  }

  private static void agent(Client admin, String slug, String model) {
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"%s\",\"name\":\"B\",\"max_concurrent_workspaces\":10000,\"model\":%s}"
                .formatted(slug, model))
        .ok();
  }

  private static String start(Client admin, String agent) {
    return admin
        .post("/api/runs", "{\"agent\":\"%s\",\"input\":\"Go\"}".formatted(agent))
        .ok()
        .get("id")
        .asString();
  }

  private static JsonNode ended(Client admin, String run) {
    var ended =
        Await.until(
            PATIENCE, () -> admin.get("/api/runs/" + run).ok(), it -> !it.get("ended_at").isNull());
    if (!ended.get("status").asString().equals("completed")) {
      throw new IllegalStateException(ended.toString());
    }
    return ended;
  }

  private static void alone(Client admin, String agent, String name) {
    var run = start(admin, agent);
    ended(admin, run);
    print("between two calls, " + name, gaps(admin, run));
  }

  /** From the end of one call to the beginning of the next. */
  private static List<Double> gaps(Client admin, String run) {
    var gaps = new ArrayList<Double>();
    Instant last = null;
    String cursor = "";
    while (true) {
      var page = admin.get("/api/runs/" + run + "/steps?limit=200" + cursor).ok();
      for (var step : page.get("steps")) {
        if (step.get("kind").asString().equals("tool")) {
          if (last != null) {
            var gap = Duration.between(last, Instant.parse(step.get("started_at").asString()));
            gaps.add(gap.toNanos() / 1e6);
          }
          last = Instant.parse(step.get("finished_at").asString());
        }
      }
      if (page.get("next").isNull()) {
        return gaps;
      }
      cursor = "&cursor=" + page.get("next").asString();
    }
  }

  private static void crowd(Client admin) {
    long started = System.nanoTime();
    var runs = new ArrayList<String>();
    for (int i = 0; i < CROWD; i++) {
      runs.add(start(admin, "crowd"));
    }
    var gaps = new ArrayList<Double>();
    for (var run : runs) {
      ended(admin, run);
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    runs.forEach(run -> gaps.addAll(gaps(admin, run)));
    print("between two calls, 200 runs at once", gaps);
    System.out.printf(
        "%-44s %.1f s, %.0f calls/s%n",
        "200 runs of 10 commands", seconds, CROWD * CALLS_IN_A_CROWD / seconds);
  }

  /** Live heap before and after, once all of them wait. */
  private static void waiting(ServerProcess server, Client admin) {
    long before = server.liveHeapBytes();
    for (int i = 0; i < WAITING; i++) {
      start(admin, "asks");
    }
    Await.until(
        PATIENCE,
        () ->
            admin.get("/api/runs?limit=200&agent=asks&status=queued").ok().get("runs").size()
                + admin
                    .get("/api/runs?limit=200&agent=asks&status=running")
                    .ok()
                    .get("runs")
                    .size(),
        left -> left == 0);
    long after = server.liveHeapBytes();
    System.out.printf(
        "%-44s %.1f KB of live heap each (%.1f MiB, before %.1f)%n",
        WAITING + " runs that wait for somebody",
        (after - before) / 1024.0 / WAITING,
        after / 1048576.0,
        before / 1048576.0);
  }

  private static void print(String name, List<Double> millis) {
    var sorted = millis.stream().sorted().toList();
    System.out.printf(
        "%-44s p50 %.2f ms   p99 %.2f ms   (%d)%n",
        name, sorted.get(sorted.size() / 2), sorted.get(sorted.size() * 99 / 100), sorted.size());
  }
}
