package mesh.execution.modal;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import mesh.execution.BackendException;
import mesh.execution.remote.Patience;

/**
 * Goes on with a stream where it was cut, as often as it gets further and a few times where it does
 * not.
 */
final class Stamina {

  private static final int MOST_FAILURES = 10;
  private static final Duration FIRST = Duration.ofMillis(10);

  private final Patience.Pause pause;
  private int failures;

  Stamina(Patience.Pause pause) {
    this.pause = pause;
  }

  /** It got further. */
  void progressed() {
    failures = 0;
  }

  /**
   * Does the work to its end; it is begun again where it may have been cut.
   *
   * @throws StatusRuntimeException if it failed for good
   * @throws BackendException if there is no way to the sandbox
   */
  void through(Calls.Call<?> work) throws InterruptedException {
    while (true) {
      try {
        var _ = work.run();
        return;
      } catch (StatusRuntimeException cut) {
        boolean mayPass = Calls.mayPass(cut) || Calls.code(cut) == Status.Code.UNAUTHENTICATED;
        if (!mayPass || failures == MOST_FAILURES) {
          throw cut;
        }
      } catch (BackendException.Unavailable trouble) {
        if (failures == MOST_FAILURES) {
          throw trouble;
        }
      }
      pause.of(FIRST.multipliedBy(1L << failures));
      failures++;
    }
  }
}
