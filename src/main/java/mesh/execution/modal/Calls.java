package mesh.execution.modal;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Connections to the vendor, and calls that an interrupt cancels. */
final class Calls {

  /** All of a connection's work waits for the network or for whoever asked. */
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

  /** As the vendor's own clients have it. */
  private static final int LARGEST_MESSAGE = 100 << 20;

  /** How much of a stream may wait here for its reader; a slow one slows the command. */
  private static final int WINDOW = 1 << 20;

  private static final int HTTPS = 443;
  private static final int HTTP = 80;

  /** Those that say of no request that it is wrong. */
  private static final Set<Status.Code> PASSING =
      Set.of(
          Status.Code.UNAVAILABLE,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.CANCELLED,
          Status.Code.INTERNAL,
          Status.Code.UNKNOWN);

  private Calls() {}

  /** A call, or the reading of a stream. Throws {@link StatusRuntimeException} where it fails. */
  @FunctionalInterface
  interface Call<A> {
    A run() throws InterruptedException;
  }

  /**
   * @param plaintext whatever the address says
   */
  static ManagedChannel channel(URI address, boolean plaintext, long idleSeconds) {
    int usual = "http".equals(address.getScheme()) ? HTTP : HTTPS;
    int port = address.getPort() < 0 ? usual : address.getPort();
    var channel =
        OkHttpChannelBuilder.forAddress(address.getHost(), port)
            .executor(THREADS)
            .transportExecutor(THREADS)
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .keepAliveWithoutCalls(true)
            .idleTimeout(idleSeconds, TimeUnit.SECONDS)
            .maxInboundMessageSize(LARGEST_MESSAGE)
            .flowControlWindow(WINDOW)
            // Whether a request may be made again is decided where its meaning is known.
            .disableRetry()
            .userAgent("mesh");
    return (plaintext ? channel.usePlaintext() : channel).build();
  }

  /** The library keeps an interrupt for later and reports a call that was cancelled. */
  static <A> A interruptibly(Call<A> call) throws InterruptedException {
    try {
      return call.run();
    } catch (StatusRuntimeException failed) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw failed;
    }
  }

  static Status.Code code(StatusRuntimeException failed) {
    return failed.getStatus().getCode();
  }

  /** Whether the same request may succeed a moment later. */
  static boolean mayPass(StatusRuntimeException failed) {
    return PASSING.contains(code(failed));
  }
}
