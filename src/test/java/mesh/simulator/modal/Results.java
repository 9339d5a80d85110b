package mesh.simulator.modal;

import modal.client.GenericResult;
import modal.client.GenericResult.GenericStatus;

/** How a sandbox ended, as the vendor words it. */
final class Results {

  private Results() {}

  static GenericResult success() {
    return of(GenericStatus.GENERIC_STATUS_SUCCESS, 0, "");
  }

  static GenericResult exited(Exit exit) {
    return exit.status() == 0
        ? success()
        : of(GenericStatus.GENERIC_STATUS_FAILURE, exit.status(), "");
  }

  static GenericResult failed(String exception) {
    return of(GenericStatus.GENERIC_STATUS_FAILURE, 1, exception);
  }

  static GenericResult outOfMemory(long limitMebibytes) {
    return of(
        GenericStatus.GENERIC_STATUS_FAILURE,
        137,
        "the container ran out of memory (limit " + limitMebibytes + " MiB)");
  }

  static GenericResult terminated() {
    return of(GenericStatus.GENERIC_STATUS_TERMINATED, 137, "");
  }

  static GenericResult timedOut() {
    return of(GenericStatus.GENERIC_STATUS_TIMEOUT, 124, "the sandbox reached its timeout");
  }

  static GenericResult idle() {
    return of(GenericStatus.GENERIC_STATUS_IDLE_TIMEOUT, 124, "the sandbox was idle");
  }

  static GenericResult neverStarted(String exception) {
    return of(GenericStatus.GENERIC_STATUS_INIT_FAILURE, 1, exception);
  }

  static GenericResult preempted() {
    return of(GenericStatus.GENERIC_STATUS_INTERNAL_FAILURE, 137, "the worker was preempted");
  }

  private static GenericResult of(GenericStatus status, int code, String exception) {
    return GenericResult.newBuilder()
        .setStatus(status)
        .setExitcode(code)
        .setException(exception)
        .build();
  }
}
