package mesh.workspace;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import mesh.execution.BackendException;
import mesh.fault.FaultPoint;
import mesh.run.RunId;
import mesh.tool.ToolRefusal;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.stereotype.Component;

/**
 * Finds or makes the workspace of a run, lazily: the first call that needs it makes it, and all
 * others, on any thread of any instance, get the same one.
 */
@Component
class Workspaces {

  /** How long a call waits for another that is making the sandbox. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final long POLL_MIN_MS = 20;
  private static final long POLL_MAX_MS = 500;

  private final WorkspaceClaims claims;
  private final Provisioner provisioner;
  private final Condemned condemned;
  private final Map<RunId, Workspace> held = new ConcurrentHashMap<>();
  private final Map<RunId, ReentrantLock> making = new ConcurrentHashMap<>();

  Workspaces(WorkspaceClaims claims, Provisioner provisioner, Condemned condemned) {
    this.claims = claims;
    this.provisioner = provisioner;
    this.condemned = condemned;
  }

  /**
   * Runs {@code use} with the run's workspace; once more with a fresh hold if the one at hand had
   * been superseded before anything was done with it.
   *
   * @throws ToolRefusal if the run has ended or can have no workspace, with what helps
   */
  <T> T with(RunId run, Use<T> use) throws InterruptedException {
    try {
      return use.of(of(run));
    } catch (Workspace.Superseded stale) {
      forget(run);
      try {
        return use.of(of(run));
      } catch (Workspace.Superseded again) {
        forget(run);
        throw new ToolRefusal.RunOver();
      }
    } catch (BackendException trouble) {
      throw refusal(trouble);
    }
  }

  /** The hold this instance has on the run's workspace, without making one. */
  Optional<Workspace> held(RunId run) {
    return Optional.ofNullable(held.get(run));
  }

  /** Later calls of this instance use it as well. */
  void keep(RunId run, Workspace workspace) {
    held.put(run, workspace);
  }

  /** The run has no use for its workspace any more, or the hold on it is stale. */
  void forget(RunId run) {
    held.remove(run);
  }

  private Workspace of(RunId run) throws InterruptedException {
    if (condemned.has(run)) {
      throw AuthorityRefusals.unknowable();
    }
    var known = held.get(run);
    if (known != null) {
      return known;
    }
    var lock = making.computeIfAbsent(run, _ -> new ReentrantLock());
    lock.lockInterruptibly();
    try {
      var made = held.get(run);
      if (made == null) {
        made = acquire(run);
        FaultPoint.WORKSPACE_READY.hit();
        keep(run, made);
      }
      return made;
    } finally {
      lock.unlock();
      if (!lock.hasQueuedThreads()) {
        making.remove(run, lock);
      }
    }
  }

  private Workspace acquire(RunId run) throws InterruptedException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    long pause = POLL_MIN_MS;
    while (true) {
      var claim = claim(run);
      if (claim instanceof Claim.Wait) {
        if (System.nanoTime() > deadline) {
          throw new ToolRefusal.TryLater(
              "workspace_starting",
              "The workspace is still being set up by another call: call again.",
              Duration.ofSeconds(5));
        }
        TimeUnit.MILLISECONDS.sleep(pause);
        pause = Math.min(pause * 2, POLL_MAX_MS);
      } else {
        var workspace = follow(claim);
        if (workspace.isPresent()) {
          return workspace.get();
        }
      }
    }
  }

  /** A lock that others hold for long, because they are many, is no reason to give up. */
  private Claim claim(RunId run) {
    try {
      return claims.claim(run);
    } catch (PessimisticLockingFailureException locked) {
      return new Claim.Wait();
    }
  }

  /** Does what a claim says. Empty if the rows have something else to say now. */
  Optional<Workspace> follow(Claim claim) throws InterruptedException {
    return switch (claim) {
      case Claim.Create create -> Optional.of(provisioner.create(create));
      case Claim.Wake wake -> provisioner.wake(wake);
      case Claim.Attach attach -> provisioner.attach(attach);
      case Claim.Wait() -> Optional.empty();
      case Claim.RunOver() -> throw new ToolRefusal.RunOver();
      case Claim.LimitReached(var limit) ->
          throw new ToolRefusal.NotPossible(
              "workspace_limit_reached",
              "This agent already has %d workspaces, as many as it may have at once: finish another of its runs, or ask an operator to raise the limit."
                  .formatted(limit));
      case Claim.Outdated() -> throw AuthorityRefusals.outdated();
      case Claim.Over over -> throw over(over);
    };
  }

  private static ToolRefusal over(Claim.Over over) {
    return switch (over.reason()) {
      case "authorization_changed" -> AuthorityRefusals.outdated();
      case Condemned.REASON -> AuthorityRefusals.unknowable();
      case "outlived_longest_run" ->
          new ToolRefusal.NotPossible(
              "workspace_outlived_longest_run",
              "This run's workspace was ended because it was older than a run may become: start a new run.");
      default ->
          new ToolRefusal.NotPossible(
              "workspace_" + over.state().word(),
              "This run's workspace was released and a run gets only one: start a new run.");
    };
  }

  private static ToolRefusal refusal(BackendException trouble) {
    var words = String.valueOf(trouble.getMessage());
    return switch (trouble) {
      case BackendException.Unavailable unavailable ->
          new ToolRefusal.TryLater(
              "runtime_unavailable",
              "The runtime does not answer as it should: " + words,
              unavailable.retryAfter());
      case BackendException.Rejected _ ->
          new ToolRefusal.NotPossible("runtime_rejected", "The runtime refused: " + words);
      case BackendException.SandboxGone _ ->
          new ToolRefusal.TryLater(
              "sandbox_lost",
              "The sandbox is gone with its files: call again to get a new, empty one.",
              Duration.ZERO);
      case BackendException.Unexpected _ ->
          new ToolRefusal.TryLater(
              "runtime_unexpected",
              "The runtime answered something Mesh does not understand: " + words,
              Duration.ZERO);
    };
  }

  /** What a caller does with a workspace. */
  interface Use<T> {
    T of(Workspace workspace) throws InterruptedException;
  }
}
