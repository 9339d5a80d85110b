package mesh.workspace;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;
import mesh.execution.BackendException;
import mesh.fault.FaultPoint;
import mesh.run.RunRedactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.stereotype.Component;

/** One attempt to end a sandbox whose row was claimed, and what the row is told of it. */
@Component
class Teardowns {

  private static final Logger log = LoggerFactory.getLogger(Teardowns.class);

  /** Shorter than a claim lasts. */
  private static final Duration ATTEMPT = Duration.ofSeconds(30);

  private static final Duration RETRY_MIN = Duration.ofSeconds(5);
  private static final Duration RETRY_MAX = Duration.ofMinutes(5);
  private static final int WORRYING = 10;
  private static final int ERROR_LENGTH = 240;

  private final TeardownRepository queue;
  private final SandboxEnd end;
  private final RunRedactions redactions;
  private final WorkspaceLimits limits;
  private final WorkspaceStages stages;
  private final RandomGenerator random;

  Teardowns(
      TeardownRepository queue,
      SandboxEnd end,
      RunRedactions redactions,
      WorkspaceLimits limits,
      WorkspaceStages stages,
      SecureRandom random) {
    this.queue = queue;
    this.end = end;
    this.redactions = redactions;
    this.limits = limits;
    this.stages = stages;
    this.random = random;
  }

  /** Whether it came to its end, so that others may be due. */
  boolean attempt(Teardown row) {
    try (var stage = stages.release(row.workspace(), row.run(), row.backend());
        var deadline = Deadline.in(ATTEMPT)) {
      try {
        stage.outcome(settle(row));
        return true;
      } catch (InterruptedException ended) {
        stage.outcome("cancelled");
        failed(row, deadline.hasPassed() ? "no answer within 30 s" : "interrupted");
      } catch (BackendException trouble) {
        stage.outcome(WorkspaceStages.word(trouble));
        failed(row, String.valueOf(trouble.getMessage()));
      }
    } catch (RuntimeException broken) {
      log.atWarn().setCause(broken).addKeyValue("workspace", row.workspace()).log("release broke");
      failedForSure(row, broken.getClass().getSimpleName());
    }
    return false;
  }

  /** In a word, what the row was told. */
  private String settle(Teardown row) throws InterruptedException {
    FaultPoint.RELEASE_CLAIMED.hit();
    var result = end.of(row);
    FaultPoint.RELEASE_UNRECORDED.hit();
    return switch (result) {
      case SandboxEnd.Result.Gone(var how, var reported) -> {
        if (queue.done(row, reported)) {
          say(row, how);
        }
        yield "gone";
      }
      case SandboxEnd.Result.Asleep(var manifest) -> {
        if (queue.held(row, manifest, limits.heldFor())) {
          say(row, "asleep");
        } else {
          // It may not be kept any more: what is asleep is to be destroyed now.
          queue.postpone(row, "asleep, and not to be kept", Duration.ZERO);
        }
        yield "asleep";
      }
      case SandboxEnd.Result.Unreachable(var instruction) -> {
        queue.strand(row, instruction);
        log.atWarn()
            .addKeyValue("workspace", row.workspace())
            .addKeyValue("runtime", row.backend())
            .log("workspace stranded");
        yield "stranded";
      }
      case SandboxEnd.Result.NotYet() -> {
        queue.postpone(row, "waiting for a create whose answer was lost", RETRY_MIN);
        yield "not_yet";
      }
    };
  }

  private static void say(Teardown row, String how) {
    log.atInfo()
        .addKeyValue("workspace", row.workspace())
        .addKeyValue("how", how)
        .log("workspace released");
  }

  private void failed(Teardown row, String words) {
    var clean = redactions.of(row.run()).apply(words);
    var error = clean.length() > ERROR_LENGTH ? clean.substring(0, ERROR_LENGTH) : clean;
    queue.postpone(row, error, pause(row.attempts()));
    log.atLevel(row.attempts() >= WORRYING ? Level.ERROR : Level.WARN)
        .addKeyValue("workspace", row.workspace())
        .addKeyValue("attempts", row.attempts())
        .addKeyValue("error", error)
        .log("release failed");
  }

  /** When the database fails too, the claim's end makes the row due again. */
  private void failedForSure(Teardown row, String words) {
    try {
      failed(row, words);
    } catch (RuntimeException unrecorded) {
      log.atWarn()
          .setCause(unrecorded)
          .addKeyValue("workspace", row.workspace())
          .log("failure not recorded");
    }
  }

  /** 5 s doubled with each attempt, up to 5 min, and half as much again or half of it. */
  private Duration pause(int attempts) {
    var plain = RETRY_MIN.multipliedBy(1L << Math.min(attempts - 1, 6));
    var most = plain.compareTo(RETRY_MAX) < 0 ? plain : RETRY_MAX;
    return Duration.ofMillis((long) (most.toMillis() * random.nextDouble(0.5, 1.5)));
  }
}
