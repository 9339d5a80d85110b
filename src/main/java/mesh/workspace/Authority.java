package mesh.workspace;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import mesh.workspace.AuthorityRepository.Standing;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * Reads whether workspaces may be used. Each read has five seconds for everything: a free
 * connection, a new one in place of one that broke, and the answer. An error is never taken for a
 * yes, nor asked again.
 */
@Component
class Authority {

  static final Duration DEADLINE = Duration.ofSeconds(5);

  private static final Executor VIRTUAL =
      read -> Thread.ofVirtual().name("authority-read").start(read);

  /**
   * Threads of the platform, for whoever asks about all operations at once: virtual ones are not
   * preempted, so a read on one of them waits until everything before it has had its turn, and that
   * is longest when much was revoked.
   */
  private final Executor ahead =
      Executors.newCachedThreadPool(
          Thread.ofPlatform().daemon().name("authority-read-all-", 0).factory());

  private final AuthorityRepository rows;
  private final Timer answered;
  private final Timer unknowable;

  Authority(AuthorityRepository rows, MeterRegistry meters) {
    this.rows = rows;
    this.answered = reads(meters, "answered");
    this.unknowable = reads(meters, "unknowable");
  }

  private static Timer reads(MeterRegistry meters, String outcome) {
    return Timer.builder("mesh.workspace.authorization.read")
        .description("Asking the database whether workspaces may be used")
        .tag("outcome", outcome)
        .register(meters);
  }

  /**
   * Confirms that the lease is good, as of the returned moment at the earliest.
   *
   * @return {@link System#nanoTime} from before the read
   * @throws Unknowable if nobody can tell
   * @throws Outdated if what the run was issued was changed
   * @throws Workspace.Superseded if the row moved on otherwise
   */
  long confirm(Lease lease) throws InterruptedException {
    long asked = System.nanoTime();
    var standing = read(VIRTUAL, () -> confirmed(lease));
    if (standing == null) {
      throw new Workspace.Superseded();
    }
    if (standing.outdated()) {
      throw new Outdated();
    }
    if (!standing.supports(lease)) {
      throw new Workspace.Superseded();
    }
    return asked;
  }

  /**
   * What the row says. One that is about to be taken for idle is used from now on, or was taken
   * already: in between there is nothing, since both change the row.
   */
  private @Nullable Standing confirmed(Lease lease) {
    var standing = rows.standing(List.of(lease.workspace())).get(lease.workspace());
    return standing == null || !standing.supports(lease) || !standing.quiet() || rows.use(lease)
        ? standing
        : null;
  }

  /**
   * @throws Unknowable if nobody can tell
   */
  Map<WorkspaceId, Standing> standing(Collection<WorkspaceId> workspaces)
      throws InterruptedException {
    return read(ahead, () -> rows.standing(workspaces));
  }

  private <T extends @Nullable Object> T read(Executor threads, Supplier<T> question)
      throws InterruptedException {
    long began = System.nanoTime();
    // On a thread of its own: a wait in the driver or the pool ends at its own time, not at ours.
    var read = new FutureTask<T>(() -> askOnce(question));
    threads.execute(read);
    try {
      var answer = read.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
      answered.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      return answer;
    } catch (TimeoutException late) {
      unknowable.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      throw new Unknowable("no answer within " + DEADLINE.toSeconds() + " s");
    } catch (ExecutionException failed) {
      unknowable.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      throw new Unknowable(words(failed));
    }
  }

  /** Without the statement, which whoever reads the log knows. */
  private static String words(ExecutionException failed) {
    var cause = NestedExceptionUtils.getMostSpecificCause(failed);
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  /** With one more try on a connection that was broken before it was asked anything. */
  private static <T extends @Nullable Object> T askOnce(Supplier<T> question) {
    try {
      return question.get();
    } catch (DataAccessException failed) {
      if (!StaleConnection.isCauseOf(failed)) {
        throw failed;
      }
      return question.get();
    }
  }

  /** Whether the workspace may be used cannot be told, so it may not. */
  static final class Unknowable extends RuntimeException {
    Unknowable(String why) {
      super(why, null, false, false);
    }
  }

  /** What the run was issued was changed: its sandbox may never be used again. */
  static final class Outdated extends RuntimeException {
    Outdated() {
      super("authorization changed", null, false, false);
    }
  }
}
