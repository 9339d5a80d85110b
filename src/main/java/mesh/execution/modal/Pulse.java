package mesh.execution.modal;

import io.grpc.StatusRuntimeException;
import java.util.concurrent.locks.LockSupport;
import mesh.execution.BackendException;

/**
 * Asks now and then whether a program still runs, because its streams may not end with it: children
 * in the background hold them open, and so has the vendor, of sandboxes that were finished. Also
 * notices when the worker does not answer any more.
 */
final class Pulse {

  private final Program program;
  private final Ambience ambience;
  private final Session session;
  private long heard = System.nanoTime();

  Pulse(Program program, Ambience ambience, Session session) {
    this.program = program;
    this.ambience = ambience;
    this.session = session;
  }

  void watch() throws InterruptedException {
    boolean wasOver = false;
    long before = -1;
    while (true) {
      rest();
      boolean isOver = isOver();
      long now = session.received();
      if (isOver && wasOver && now == before && session.isTaken()) {
        // A whole beat after its end nothing more has come of it.
        session.broke("it ended without a report");
        return;
      }
      if (System.nanoTime() - heard > ambience.silence().toNanos() && session.isTaken()) {
        session.broke("nothing was heard for " + ambience.silence().toSeconds() + " s");
        return;
      }
      wasOver = isOver;
      before = now;
    }
  }

  private void rest() throws InterruptedException {
    long end = System.nanoTime() + ambience.beat().toNanos();
    for (long left = ambience.beat().toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private boolean isOver() throws InterruptedException {
    try {
      boolean hasExited = program.hasExited(ambience.beat().multipliedBy(2));
      heard = System.nanoTime();
      return hasExited;
    } catch (StatusRuntimeException refused) {
      return switch (Calls.code(refused)) {
        case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, INTERNAL, UNKNOWN, UNAUTHENTICATED -> false;
        // The worker answers, and knows nothing of it any more.
        default -> answered();
      };
    } catch (BackendException.SandboxGone gone) {
      return answered();
    } catch (BackendException trouble) {
      return false;
    }
  }

  private boolean answered() {
    heard = System.nanoTime();
    return true;
  }
}
