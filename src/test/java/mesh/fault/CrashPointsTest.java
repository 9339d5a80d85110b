package mesh.fault;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import mesh.BesideOthers;
import mesh.ServerProcess;
import mesh.fault.Crash.Outcome;
import mesh.history.Checker;
import mesh.history.Event;
import mesh.history.History;
import mesh.history.Promises;
import mesh.history.Violation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A server dies at each point at which a crash leaves the most awkward state. Another one, which
 * was there all the time, takes over; in the end there is none and one starts anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@BesideOthers
class CrashPointsTest {

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Duration QUIET = Duration.ofMinutes(3);
  private static final int TRIES = 3;

  private final List<Outcome> outcomes = new ArrayList<>();
  private final Site site = Site.open();
  private final Clients clients = new Clients(site.recorder());
  private @Nullable History history;
  private List<Violation> violations = List.of();

  @BeforeAll
  void dieEverywhere() throws InterruptedException {
    site.vendor().graceAfterDisconnect(GRACE);
    var started = Instant.now();
    var survivor =
        site.begin(
                new ServerProcess.Extras(List.of(), Site.FAST),
                "mesh.workspaces.orphan-grace=0s",
                "mesh.workspaces.sweep-every=3s")
            .ready();
    site.onlySprites(survivor);
    var following = new ArrayList<CompletableFuture<Outcome>>();
    var next = victim();
    for (var scenario : chosen()) {
      var followed = false;
      for (int i = 0; i < TRIES && !followed; i++) {
        var victim = next.ready();
        next = victim();
        var agent =
            clients.newAgent(survivor, "a" + UUID.randomUUID().toString().substring(0, 8), 5);
        var crash = new Crash(scenario, site, clients).happen(victim, survivor, agent);
        crash.ifPresent(following::add);
        followed = crash.isPresent();
      }
      assertThat(followed).as("reached %s", scenario.name()).isTrue();
    }
    next.server().kill();
    following.forEach(one -> outcomes.add(one.join()));
    site.quiet(QUIET);
    history = site.history();
    violations = Checker.with(Promises.ofAVendorThatEndsCommandsAfter(GRACE)).violations(history);
    print(Duration.between(started, Instant.now()));
  }

  /** All; or, by hand, those whose names contain {@code -Dmesh.fault.only}. */
  private static List<Scenario> chosen() {
    var only = System.getProperty("mesh.fault.only", "");
    return Scenarios.all().stream()
        .filter(scenario -> Pattern.compile(only).matcher(scenario.name()).find())
        .toList();
  }

  private Victim victim() {
    return Victim.begin(site, "mesh.workspaces.orphan-grace=0s", "mesh.workspaces.sweep-every=1s");
  }

  @AfterAll
  void close() {
    site.close();
  }

  @Test
  void everyPointIsReached() {
    var reached = EnumSet.noneOf(FaultPoint.class);
    outcomes.forEach(outcome -> outcome.scenario().point().ifPresent(reached::add));

    var all = EnumSet.allOf(FaultPoint.class);
    all.removeAll(LoopCrashTest.OF_THE_LOOP.keySet());
    assertThat(reached).isEqualTo(all);
  }

  @Test
  void everyRunGoesOnOrEnds() {
    assertThat(outcomes)
        .allSatisfy(
            outcome -> assertThat(outcome.trouble()).as(outcome.scenario().name()).isNull());
  }

  @Test
  void noPromiseIsBroken() {
    assertThat(violations).isEmpty();
  }

  /** Else there would be nothing to find. */
  @Test
  void theHistoryHoldsWhatItIsCheckedFor() {
    assertThat(site.recorder().count(Event.Created.class)).isGreaterThan(15);
    assertThat(site.recorder().count(Event.Wrote.class)).isGreaterThan(15);
    assertThat(site.recorder().count(Event.Destroyed.class)).isGreaterThan(15);
  }

  private void print(Duration took) {
    System.out.printf(
        "%n%-36s %-22s %-34s %-38s %8s %8s %s%n",
        "point", "", "left", "afterwards", "usable", "settled", "violations");
    for (var outcome : outcomes) {
      System.out.printf(
          "%-36s %-22s %-34s %-38s %8s %8s %d%n",
          outcome.scenario().name(),
          outcome.scenario().point().map(FaultPoint::name).orElse(""),
          outcome.left(),
          afterwards(outcome),
          seconds(outcome.usable()),
          seconds(outcome.settled()),
          violations.stream()
              .filter(violation -> violation.toString().contains(outcome.run().id().toString()))
              .count());
    }
    for (var missing : List.of("S1, S2, S3 snapshots", "K1, K2, K3 key rotation")) {
      System.out.printf("%-36s %s%n", missing, "not built");
    }
    System.out.printf(
        "%d crashes, %d violations, %d s%n%n",
        outcomes.size(), violations.size(), took.toSeconds());
    violations.forEach(System.out::println);
  }

  /** The states of its row after the death. */
  private String afterwards(Outcome outcome) {
    return java.util.Objects.requireNonNull(history).events().stream()
        .filter(event -> event.at().isAfter(outcome.died()))
        .filter(Event.RowChanged.class::isInstance)
        .map(Event.RowChanged.class::cast)
        .filter(row -> row.run().equals(outcome.run().id()))
        .map(Event.RowChanged::state)
        .distinct()
        .collect(joining(" "));
  }

  private static String seconds(@Nullable Duration duration) {
    return duration == null ? "-" : "%.1f".formatted(duration.toMillis() / 1e3);
  }
}
