package mesh.simulator.modal;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Answers calls, with an error's status if there is one. */
final class Answers {

  private Answers() {}

  interface Work<R> {
    R run() throws IOException, InterruptedException;
  }

  static <R> void one(StreamObserver<R> to, Work<R> work) {
    try {
      to.onNext(work.run());
      to.onCompleted();
    } catch (Exception e) {
      fail(to, e);
    }
  }

  /** Answers once there is a value, on whose thread that may be. */
  static <R> void later(StreamObserver<R> to, Work<CompletableFuture<R>> work) {
    try {
      var _ =
          work.run()
              .whenComplete((answer, trouble) -> {
                if (trouble == null) {
                  one(to, () -> answer);
                } else {
                  fail(to, trouble);
                }
              });
    } catch (Exception e) {
      fail(to, e);
    }
  }

  static void fail(StreamObserver<?> to, Throwable trouble) {
    to.onError(
        switch (trouble) {
          case StatusRuntimeException it -> it;
          case CompletionException it when it.getCause() != null -> status(it.getCause());
          case InterruptedException it -> {
            Thread.currentThread().interrupt();
            yield status(it);
          }
          default -> status(trouble);
        });
  }

  private static StatusRuntimeException status(Throwable trouble) {
    // What a client need not try again, unlike INTERNAL: that is a mistake of the simulator.
    return trouble instanceof StatusRuntimeException it
        ? it
        : Status.FAILED_PRECONDITION
            .withDescription(String.valueOf(trouble))
            .withCause(trouble)
            .asRuntimeException();
  }

  /** What there is by then. */
  static <T> CompletableFuture<Optional<T>> within(CompletableFuture<T> future, float seconds) {
    var answer = future.thenApply(Optional::of);
    return seconds <= 0
        ? CompletableFuture.completedFuture(answer.getNow(Optional.empty()))
        : answer.completeOnTimeout(
            Optional.empty(), (long) (seconds * 1000), TimeUnit.MILLISECONDS);
  }
}
