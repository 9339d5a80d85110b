package mesh.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.telemetry.Telemetry;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Creates, finds and ends runs. */
@Service
public class Runs {

  private final RunRepository runs;
  private final RunFeed feed;
  private final Activity activity;
  private final ApplicationEventPublisher events;
  private final Supplier<UUID> ids;
  private final RunRedactions redactions;
  private final Telemetry telemetry;

  Runs(
      RunRepository runs,
      RunFeed feed,
      Activity activity,
      ApplicationEventPublisher events,
      Supplier<UUID> ids,
      RunRedactions redactions,
      Telemetry telemetry) {
    this.runs = runs;
    this.feed = feed;
    this.activity = activity;
    this.events = events;
    this.ids = ids;
    this.redactions = redactions;
    this.telemetry = telemetry;
  }

  /**
   * Creates a run: queued for the loop, or running at once when an agent elsewhere drives it.
   * Publishes {@link RunCreated}.
   */
  @Transactional
  public Run create(NewRun run) {
    var id = new RunId(ids.get());
    var status = run.mode() == RunMode.HARNESS ? RunStatus.QUEUED : RunStatus.RUNNING;
    runs.insert(id, run, status, telemetry.current());
    activity.record(
        Entry.of(run.createdBy(), "run.created").agent(run.agent().value()).run(id.value()));
    events.publishEvent(new RunCreated(id, run.agent(), run.createdBy(), run.mode()));
    return runs.find(id).orElseThrow();
  }

  public Optional<Run> find(RunId id) {
    return runs.find(id);
  }

  /**
   * What created a run, for the trace of what drives it: see {@link Telemetry#begin(String,
   * String)}. Null if that was not traced.
   */
  public @Nullable String traceparent(RunId id) {
    return runs.traceparent(id).orElse(null);
  }

  /**
   * The run whose work a run takes up: the one that it says it continues, else the one before it in
   * its conversation, of the same agent.
   */
  public Optional<RunId> before(RunId id) {
    return runs.before(id);
  }

  /** Newest first. */
  public List<Run> list(RunFilter filter, int limit) {
    return runs.list(filter, null, null, limit);
  }

  /** Newest first, those created before the run with these values. */
  public List<Run> listBefore(RunFilter filter, Instant createdAt, UUID id, int limit) {
    return runs.list(filter, createdAt, id, limit);
  }

  /** For a chart: counts by hour of creation and present status. */
  public List<RunsPerHour> perHour(Instant since) {
    return runs.perHour(since);
  }

  /**
   * Ends a run. Idempotent: false, and nothing happens, if it had ended before. Publishes {@link
   * RunEnded}.
   *
   * @param status a terminal one
   * @param reason a sentence for whoever asked for the run
   * @param summary what the agent said at the end; null if nothing
   */
  @Transactional
  public boolean end(
      RunId id, RunStatus status, String reason, @Nullable String summary, ActorId by) {
    if (!status.isTerminal()) {
      throw new IllegalArgumentException(status + " does not end a run");
    }
    var clean = redactions.of(id);
    var told = clean.apply(reason);
    if (!runs.end(id, status, told, summary == null ? null : clean.apply(summary))) {
      return false;
    }
    activity.record(
        Entry.of(by, "run.ended").run(id.value()).after(new EndedAs(status.word(), told)));
    events.publishEvent(new RunEnded(id, status, told));
    feed.changed(id);
    return true;
  }

  /**
   * Takes harness runs that nobody drives, for {@code instance} until {@code lease} from now.
   * Concurrent callers never get the same run.
   */
  @Transactional
  public List<DrivenRun> claim(UUID instance, Duration lease, int limit) {
    return runs.claim(instance, lease, limit);
  }

  /** Extends the leases of all runs that {@code instance} drives, and returns those. */
  @Transactional
  public List<RunId> renew(UUID instance, Duration lease) {
    return runs.renew(instance, lease);
  }

  private record EndedAs(String status, String reason) {}
}
