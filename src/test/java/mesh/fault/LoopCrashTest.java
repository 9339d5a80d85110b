package mesh.fault;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import mesh.Await;
import mesh.BesideOthers;
import mesh.ServerProcess;
import mesh.Suites;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * The server that drives a run dies between every two commits of it, and in the middle of what its
 * tools do; another one goes on. The run ends as it would have, and nothing is done twice: each
 * effect is a request to a server outside, which counts.
 */
@BesideOthers
@Timeout(value = 10, unit = java.util.concurrent.TimeUnit.MINUTES)
class LoopCrashTest {

  /** Where the loop commits, and each hit of it in a run of two calls and three replies. */
  static final Map<FaultPoint, Integer> OF_THE_LOOP =
      Map.of(
          FaultPoint.REPLY_UNRECORDED, 3,
          FaultPoint.REPLY_COMMITTED, 3,
          FaultPoint.CALL_CHOSEN, 2,
          FaultPoint.CALL_COMMITTED, 2);

  private static final Set<FaultPoint> IN_A_COMMAND =
      EnumSet.of(FaultPoint.COMMAND_PREPARED, FaultPoint.COMMAND_RUNNING, FaultPoint.COMMAND_ENDED);

  private static final int TRIES = 4;

  private final Map<String, Integer> effects = new ConcurrentHashMap<>();
  private Site site;
  private HttpServer outside;
  private ServerProcess survivor;

  @BeforeEach
  void start() throws IOException {
    Suites.require(
        "crashes of the loop", Files.exists(Path.of("/usr/bin/curl")), "there is no curl");
    outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    outside.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    outside.createContext(
        "/",
        exchange -> {
          effects.merge(exchange.getRequestURI().getPath(), 1, Integer::sum);
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    outside.start();
    site = Site.open();
    survivor = site.begin(new ServerProcess.Extras(List.of(), Site.FAST)).ready();
    site.onlySprites(survivor);
  }

  @AfterEach
  void stop() {
    site.close();
    outside.stop(0);
  }

  @Test
  void goesOnWhereverItsServerDies() throws InterruptedException {
    var following = new ArrayList<CompletableFuture<Ended>>();
    var next = Victim.begin(site);
    for (var death : deaths()) {
      boolean died = false;
      for (int i = 0; i < TRIES && !died; i++) {
        var victim = next.ready();
        next = Victim.begin(site);
        var run = dies(victim, death);
        died = run != null;
        if (run != null) {
          following.add(
              CompletableFuture.supplyAsync(() -> ended(run, death), Thread::startVirtualThread));
        }
        victim.server().kill();
      }
      assertThat(died).as("died at %s", death).isTrue();
    }
    next.server().kill();
    var ended = following.stream().map(it -> it.orTimeout(240, SECONDS).join()).toList();

    ended.forEach(System.out::println);
    assertThat(ended)
        .allSatisfy(run -> {
          assertThat(run.status()).isEqualTo("completed");
          assertThat(run.summary()).isEqualTo("Through.");
          assertThat(run.open()).as("steps left open").isZero();
          assertThat(run.effects())
              .as("effects")
              .allSatisfy(times -> assertThat(times).isLessThan(2));
          if (!IN_A_COMMAND.contains(run.death().point())) {
            assertThat(run.effects()).containsExactly(1, 1);
            assertThat(run.unknown()).isZero();
          }
        });
  }

  private record Death(FaultPoint point, int hit) {}

  private static List<Death> deaths() {
    var deaths = new ArrayList<Death>();
    OF_THE_LOOP.forEach((point, hits) -> {
      for (int hit = 1; hit <= hits; hit++) {
        deaths.add(new Death(point, hit));
      }
    });
    IN_A_COMMAND.forEach(point -> deaths.add(new Death(point, 1)));
    return deaths;
  }

  /** The run that was under way; null if the victim did not come to drive it. */
  private @org.jspecify.annotations.Nullable String dies(Victim victim, Death death) {
    var name = "a" + UUID.randomUUID().toString().substring(0, 8);
    var admin = victim.server().admin();
    var address = "http://127.0.0.1:" + outside.getAddress().getPort() + "/" + name;
    admin
        .post(
            "/api/agents",
            """
            {"slug":"%1$s","name":"A","model":{"kind":"scripted","summary":"Through.","steps":[
              {"tool":"workspace_exec","may_fail":true,"arguments":{"script":"echo on; curl -s %2$s/1; sleep 1"}},
              {"tool":"workspace_exec","may_fail":true,"arguments":{"script":"echo on; curl -s %2$s/2"}}]}}
            """
                .formatted(name, address))
        .ok();
    victim.halting().at(death.point(), death.hit());
    var run =
        admin
            .post("/api/runs", "{\"agent\":\"%s\",\"input\":\"Go\"}".formatted(name))
            .ok()
            .get("id")
            .asString();
    victim.server().ended(Duration.ofSeconds(20));
    if (victim.halting().reached().isEmpty()) {
      return null;
    }
    // As if its lease were over: it will not come back.
    site.jdbc()
        .sql(
            "update runs set lease_until = now() where id = cast(:run as uuid) and ended_at is null")
        .param("run", run)
        .update();
    return run + " " + name;
  }

  private Ended ended(String runAndAgent, Death death) {
    var run = runAndAgent.substring(0, runAndAgent.indexOf(' '));
    var agent = runAndAgent.substring(run.length() + 1);
    var admin = survivor.admin();
    var ended =
        Await.until(
            Duration.ofSeconds(180),
            () -> admin.get("/api/runs/" + run).ok(),
            it -> !it.get("ended_at").isNull());
    var steps = admin.get("/api/runs/" + run + "/steps?limit=200").ok().get("steps");
    return new Ended(
        death,
        ended.get("status").asString(),
        ended.get("summary").asString(ended.get("status_reason").asString("")),
        count(steps, "started"),
        count(steps, "unknown"),
        List.of(
            effects.getOrDefault("/" + agent + "/1", 0),
            effects.getOrDefault("/" + agent + "/2", 0)));
  }

  private static int count(JsonNode steps, String status) {
    return (int)
        steps.valueStream().filter(step -> step.get("status").asString().equals(status)).count();
  }

  private record Ended(
      Death death, String status, String summary, int open, int unknown, List<Integer> effects) {}
}
