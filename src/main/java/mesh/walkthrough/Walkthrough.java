package mesh.walkthrough;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import mesh.access.PublicUrl;
import mesh.activity.ActorId;
import mesh.agent.AgentDraft;
import mesh.agent.Agents;
import mesh.run.NewRun;
import mesh.run.Run;
import mesh.run.RunFeed;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.Runs;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * At the very first start of an installation: makes an agent, gives it one run, and tells on the
 * console where to look and how it ended.
 */
@Component
class Walkthrough {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
  private static final String SLUG = "walkthrough";

  private final WalkthroughRepository repository;
  private final Agents agents;
  private final Runs runs;
  private final RunFeed feed;
  private final PublicUrl url;
  private final TransactionTemplate transaction;

  Walkthrough(
      WalkthroughRepository repository,
      Agents agents,
      Runs runs,
      RunFeed feed,
      PublicUrl url,
      TransactionTemplate transaction) {
    this.repository = repository;
    this.agents = agents;
    this.runs = runs;
    this.feed = feed;
    this.url = url;
    this.transaction = transaction;
  }

  @EventListener(ApplicationReadyEvent.class)
  void firstStart() {
    begin().ifPresent(run -> Thread.ofVirtual().name("walkthrough").start(() -> follow(run.id())));
  }

  private Optional<Run> begin() {
    return Optional.ofNullable(
        transaction.execute(_ -> {
          if (!repository.begin() || agents.find(SLUG).isPresent()) {
            return null;
          }
          var agent =
              agents.create(
                  AgentDraft.of(SLUG)
                      .named("Walkthrough")
                      .withModel(WalkthroughScript.model().toString()),
                  ActorId.SYSTEM);
          return runs.create(
              NewRun.of(
                  agent.id(),
                  RunMode.HARNESS,
                  "Check out the greeting repository, run its tests, and leave a note.",
                  ActorId.SYSTEM));
        }));
  }

  private void follow(RunId run) {
    var console = System.out;
    console.println("Walkthrough: a first run has started. Watch it at " + url.of("/runs/" + run));
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    try (var watch = feed.watch(run)) {
      var now = runs.find(run).orElseThrow();
      while (!now.hasEnded() && System.nanoTime() < deadline) {
        watch.await(LOOK_AGAIN);
        now = runs.find(run).orElseThrow();
      }
      tell(console, now);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static void tell(PrintStream console, Run run) {
    console.println("Walkthrough: " + run.status().word() + ". " + run.statusReason());
  }
}
