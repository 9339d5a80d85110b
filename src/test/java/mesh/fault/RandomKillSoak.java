package mesh.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import mesh.ServerProcess;
import mesh.ServerProcess.Extras;
import mesh.fault.Clients.Agent;
import mesh.history.Checker;
import mesh.history.Event;
import mesh.history.Promises;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two servers under load at a vendor on a bad day; one of them is killed at a random moment and
 * started anew, forty times, while the other serves.
 */
@Timeout(value = 25, unit = TimeUnit.MINUTES)
class RandomKillSoak {

  private static final int KILLS = Integer.getInteger("mesh.fault.kills", 40);
  private static final int WORKERS = 4;
  private static final int AGENTS = 4;
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration DECISIONS = Duration.ofSeconds(3);
  private static final long MOST_NANOS = Duration.ofMillis(800).toNanos();

  /** As long as a server that was killed is taken to live. */
  private static final Duration LEASE = Duration.ofSeconds(20);

  private static final Duration QUIET = Duration.ofMinutes(3);

  private final long seed = Long.getLong("mesh.fault.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final AtomicReferenceArray<ServerProcess> servers = new AtomicReferenceArray<>(2);

  @Test
  void nothingIsLostOrDoubledOrLeftOver() throws InterruptedException {
    System.out.println("RandomKillSoak: repeat with -Dmesh.fault.seed=" + seed);
    ServerProcess.expectMany();
    try (var site = Site.open()) {
      site.vendor().graceAfterDisconnect(GRACE);
      servers.set(0, begin(site).ready());
      site.onlySprites(servers.get(0));
      servers.set(1, begin(site).ready());
      var clients = new Clients(site.recorder());
      var agents = new ArrayList<Agent>();
      for (int i = 0; i < AGENTS; i++) {
        agents.add(clients.newAgent(servers.get(0), "agent-" + i, 100));
      }
      VendorTrouble.begin(site.vendor().faults(), seed);
      var load =
          new Load(clients, List.of(() -> servers.get(0), () -> servers.get(1)), agents, seed);
      load.begin(WORKERS, DECISIONS);

      var started = Instant.now();
      killAgainAndAgain(site);
      var killing = Duration.between(started, Instant.now());
      load.end();
      var quiet = calmDown(site, clients);

      var history = site.history();
      var violations =
          Checker.with(Promises.ofAVendorThatEndsCommandsAfter(GRACE).onAFaultyVendor())
              .violations(history);
      System.out.printf(
          "%d kills in %d s, then quiet after %d s; %d sandboxes, %d commands, %d credentials"
              + " written; %s%n",
          KILLS,
          killing.toSeconds(),
          quiet.toSeconds(),
          site.recorder().count(Event.Created.class),
          site.recorder().count(Event.Began.class),
          site.recorder().count(Event.Wrote.class),
          load.counts());
      assertThat(violations).isEmpty();
      assertThat(load.counts().get("exec done")).isGreaterThan(KILLS);
      assertThat(site.recorder().count(Event.Wrote.class)).isPositive();
    }
  }

  private ServerProcess begin(Site site) {
    return site.begin(
        new Extras(List.of(), Site.FAST),
        "mesh.workspaces.orphan-grace=5s",
        "mesh.workspaces.sweep-every=5s");
  }

  private void killAgainAndAgain(Site site) {
    for (int i = 0; i < KILLS; i++) {
      LockSupport.parkNanos(random.nextLong(MOST_NANOS));
      int slot = random.nextInt(2);
      var victim = servers.get(slot);
      victim.kill();
      site.recorder().killed("server " + slot);
      var next = begin(site);
      servers.set(slot, next);
      next.ready();
    }
  }

  /** Ends what runs, and waits until everything that must go is gone. */
  private Duration calmDown(Site site, Clients clients) {
    var started = Instant.now();
    site.vendor().faults().clear();
    site.jdbc()
        .sql("select id from runs where ended_at is null")
        .query(UUID.class)
        .list()
        .forEach(run -> clients.cancel(servers.get(0), run));
    site.letTimePass(VendorTrouble.LATEST);
    site.letTimePass(LEASE);
    site.quiet(QUIET);
    return Duration.between(started, Instant.now());
  }
}
