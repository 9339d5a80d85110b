package mesh.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import mesh.Await;
import mesh.ServerProcess;
import mesh.fault.Clients.Agent;
import mesh.fault.Clients.Run;
import org.jspecify.annotations.Nullable;

/** One scenario on its way: the death is waited for, what follows goes on beside other crashes. */
final class Crash {

  private static final Duration SETTLED = Duration.ofMinutes(4);

  private final Scenario scenario;
  private final Site site;
  private final Clients clients;
  private final AtomicReference<@Nullable Duration> usable = new AtomicReference<>();

  Crash(Scenario scenario, Site site, Clients clients) {
    this.scenario = scenario;
    this.site = site;
    this.clients = clients;
  }

  /**
   * What came of it.
   *
   * @param reached whether the server died where it was to die
   * @param left the row's state when it had died, and whether the vendor had the sandbox
   * @param usable how long after its death the run could go on; null if that was not tried
   * @param settled how long after its death nothing was left to do
   * @param trouble what went wrong; null if nothing
   */
  record Outcome(
      Scenario scenario,
      Run run,
      boolean reached,
      String left,
      Instant died,
      @Nullable Duration usable,
      @Nullable Duration settled,
      @Nullable String trouble) {}

  /** Returns when the victim is dead; empty if it died too early or too late. */
  Optional<CompletableFuture<Outcome>> happen(Victim victim, ServerProcess survivor, Agent agent)
      throws InterruptedException {
    var died = new AtomicReference<Instant>();
    var scene =
        new Scene(
            site,
            clients,
            victim,
            survivor,
            agent,
            () -> usable.set(Duration.between(died.get(), Instant.now())));
    var run = scenario.drive().of(scene);
    var code = victim.ended();
    site.recorder().killed(scenario.name());
    died.set(Instant.now());
    boolean reached =
        code.isPresent()
            && code.getAsInt() == 137
            && victim.halting().reached().equals(scenario.point())
            && scenario.reached().by(scene, run);
    var left = left(scene, run);
    if (!reached) {
      victim.server().kill();
      clients.cancel(survivor, run.id());
      return Optional.empty();
    }
    return Optional.of(
        CompletableFuture.supplyAsync(
            () -> follow(scene, run, left, died.get()), Thread.ofVirtual()::start));
  }

  private Outcome follow(Scene scene, Run run, String left, Instant died) {
    try {
      scenario.after().of(scene, run);
      Await.until(
          SETTLED,
          () -> site.row(run.id()).get("state"),
          state -> state.equals("released") || state.equals("held"));
      var settled = Duration.between(died, Instant.now());
      return new Outcome(scenario, run, true, left, died, usable.get(), settled, null);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome(scenario, run, true, left, died, usable.get(), null, "interrupted");
    } catch (RuntimeException | AssertionError trouble) {
      return new Outcome(scenario, run, true, left, died, usable.get(), null, trouble.toString());
    }
  }

  private static String left(Scene scene, Run run) {
    var row = scene.site().row(run.id());
    return row.get("state")
        + ("true".equals(row.get("recorded")) ? " with ref" : "")
        + (scene.vendorHas(run) ? ", sandbox" : ", no sandbox");
  }
}
