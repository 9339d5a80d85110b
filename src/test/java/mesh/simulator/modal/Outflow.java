package mesh.simulator.modal;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Sends a stream's output as it comes, as fast as the client takes it. */
final class Outflow<R> {

  interface Packing<R> {
    R pack(Spool.Chunk chunk);
  }

  /** What is said at the end. */
  interface Farewell<R> {
    Optional<R> at(long offset);
  }

  private static final int CHUNK = 64 * 1024;

  private final Spool spool;
  private final ServerCallStreamObserver<R> client;
  private final Packing<R> packing;
  private final Farewell<R> farewell;
  private final Semaphore ready = new Semaphore(0);

  private Outflow(
      Spool spool, ServerCallStreamObserver<R> client, Packing<R> packing, Farewell<R> farewell) {
    this.spool = spool;
    this.client = client;
    this.packing = packing;
    this.farewell = farewell;
  }

  /**
   * Must be called before the service's method returns.
   *
   * @param whole whether an offset of which the output is forgotten is refused
   */
  static <R> void start(
      Spool spool,
      long offset,
      boolean whole,
      StreamObserver<R> to,
      Packing<R> packing,
      Farewell<R> farewell) {
    var outflow = new Outflow<>(spool, (ServerCallStreamObserver<R>) to, packing, farewell);
    // The call's own callbacks come one at a time: this one must be over for others to come.
    var thread = Thread.ofVirtual().unstarted(() -> outflow.run(offset, whole));
    outflow.client.setOnReadyHandler(outflow.ready::release);
    outflow.client.setOnCancelHandler(thread::interrupt);
    outflow.client.setOnCloseHandler(thread::interrupt);
    thread.start();
  }

  private void run(long from, boolean whole) {
    try {
      var offset = from;
      for (var chunk = spool.read(offset, CHUNK);
          chunk.bytes().length > 0;
          chunk = spool.read(offset, CHUNK)) {
        if (whole && chunk.offset() > offset) {
          throw Status.OUT_OF_RANGE.withDescription("it is forgotten").asRuntimeException();
        }
        while (!client.isReady() && !client.isCancelled()) {
          ready.acquire();
        }
        client.onNext(packing.pack(chunk));
        offset = chunk.offset() + chunk.bytes().length;
      }
      farewell.at(offset).ifPresent(client::onNext);
      client.onCompleted();
    } catch (InterruptedException e) {
      // The client has gone away.
    } catch (IOException | RuntimeException e) {
      if (!client.isCancelled()) {
        Answers.fail(client, e);
      }
    }
  }
}
