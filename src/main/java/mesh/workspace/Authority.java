package mesh.workspace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mesh.workspace.AuthorityRepository.Standing;
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

  private final AuthorityRepository rows;

  Authority(AuthorityRepository rows) {
    this.rows = rows;
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
    var standing = standing(List.of(lease.workspace())).get(lease.workspace());
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
   * @throws Unknowable if nobody can tell
   */
  Map<WorkspaceId, Standing> standing(Collection<WorkspaceId> workspaces)
      throws InterruptedException {
    // On a thread of its own: a wait in the driver or the pool ends at its own time, not at ours.
    var read = new FutureTask<>(() -> readOnce(workspaces));
    Thread.ofVirtual().name("authority-read").start(read);
    try {
      return read.get(DEADLINE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new Unknowable("no answer within " + DEADLINE.toSeconds() + " s");
    } catch (ExecutionException failed) {
      throw new Unknowable(words(failed));
    }
  }

  /** Without the statement, which whoever reads the log knows. */
  private static String words(ExecutionException failed) {
    var cause = NestedExceptionUtils.getMostSpecificCause(failed);
    return cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  /** With one more try on a connection that was broken before it was asked anything. */
  private Map<WorkspaceId, Standing> readOnce(Collection<WorkspaceId> workspaces) {
    try {
      return rows.standing(workspaces);
    } catch (DataAccessException failed) {
      if (!StaleConnection.isCauseOf(failed)) {
        throw failed;
      }
      return rows.standing(workspaces);
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
