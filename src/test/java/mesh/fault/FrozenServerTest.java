package mesh.fault;

import static mesh.fault.Scene.must;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.ServerProcess;
import mesh.ServerProcess.Extras;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that stands still keeps its connections, so that to the vendor it looks like one that
 * waits. What it began must end all the same: a sandbox in which nothing runs falls asleep.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FrozenServerTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration MARGIN = Duration.ofSeconds(2);

  /** Longer than any operation may go unconfirmed. */
  private static final Duration UNCONFIRMED = Duration.ofSeconds(8);

  /** For a machine that is busy with other things. */
  private static final Duration SLACK = Duration.ofSeconds(15);

  private final String trace = "trace-" + UUID.randomUUID();
  private Site site;
  private Clients clients;
  private ServerProcess server;

  @BeforeEach
  void start() {
    site = Site.open();
    clients = new Clients(site.recorder());
    server =
        site.begin(
                new Extras(List.of(), Site.FAST),
                "mesh.sprites.deadline-margin=" + MARGIN.toSeconds() + "s")
            .ready();
    site.onlySprites(server);
  }

  @AfterEach
  void stop() {
    if (server.isAlive()) {
      server.goOn();
    }
    site.close();
  }

  @Test
  void aCommandEndsByItselfWhileTheServerStandsStill() throws Exception {
    var run = clients.start(server, clients.newAgent(server, "frozen", 10), null).orElseThrow();
    must(clients.exec(server, run, "true"));
    var answer =
        CompletableFuture.supplyAsync(
            () -> server.with(run.token()).tool("workspace_exec", endless()),
            Thread.ofVirtual()::start);
    Await.until(PATIENCE, this::traced, found -> found.size() >= 2);

    server.freeze();
    try {
      Await.until(TIMEOUT.plus(MARGIN).plus(SLACK), this::traced, List::isEmpty);
      // The session was over, too, and would have kept the sprite awake.
      Await.until(SLACK, () -> site.vendor().runningCommands(), n -> n == 0);
      assertThat(server.isFrozen()).isTrue();
    } finally {
      server.goOn();
    }

    var meaning = meaning(answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    System.out.printf("FrozenServerTest: once it went on, the server answered %s%n", meaning);
    assertThat(meaning).isIn("timed_out", "unknown", "authorization_unconfirmed");
    var _ = clients.finish(server, run);
    site.quiet(PATIENCE);
    Await.until(PATIENCE, () -> site.vendor().sprites(), Map::isEmpty);
  }

  /** Nothing was revoked meanwhile, and another server may have been at work there since. */
  @Test
  void aSandboxSurvivesThatItsServerStoodStill() throws Exception {
    var other = site.begin(new Extras(List.of(), Site.FAST)).ready();
    var run = clients.start(server, clients.newAgent(server, "frozen", 10), null).orElseThrow();
    must(clients.exec(server, run, "echo kept > kept"));
    var answer =
        CompletableFuture.supplyAsync(
            () -> clients.exec(server, run, ": " + trace + "; sleep 30"),
            Thread.ofVirtual()::start);
    Await.until(PATIENCE, this::traced, found -> !found.isEmpty());

    server.freeze();
    try {
      var until = Instant.now().plus(UNCONFIRMED);
      must(clients.exec(other, run, "echo on >> kept"));
      Await.until(PATIENCE, Instant::now, now -> now.isAfter(until));
    } finally {
      server.goOn();
    }

    var reply = answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    System.out.printf("FrozenServerTest: once it went on, the server answered %s%n", reply);
    // Unless its first question was answered before its watchdog looked.
    assertThat(reply.succeeded() || reply.code().equals("authorization_unconfirmed")).isTrue();
    for (var at : List.of(server, other)) {
      assertThat(must(clients.exec(at, run, "cat kept")).body().get("stdout").asString())
          .isEqualTo("kept\non\n");
    }
    must(clients.finish(other, run));
    site.quiet(PATIENCE);
  }

  /** A leader that does not listen, and a descendant that left its session and environment. */
  private String endless() {
    var script =
        """
        (env -i PATH="$PATH" setsid sh -c ': %1$s; while :; do sleep 1; done' >/dev/null 2>&1 &)
        trap '' TERM INT HUP
        : %1$s
        while :; do sleep 1; done
        """
            .formatted(trace);
    return TestMesh.JSON
        .createObjectNode()
        .put("script", script)
        .put("timeout_seconds", TIMEOUT.toSeconds())
        .toString();
  }

  private static String meaning(Answer answer) {
    return answer.status() < 300 ? answer.json().get("outcome").asString() : answer.code();
  }

  private List<String> traced() {
    var found = new ArrayList<String>();
    for (var process : ProcessHandle.allProcesses().toList()) {
      try {
        var words = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        if (words.contains(trace)) {
          found.add(process.pid() + " " + words);
        }
      } catch (IOException gone) {
        // It ended while it was looked at.
      }
    }
    return found;
  }
}
