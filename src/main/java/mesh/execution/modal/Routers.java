package mesh.execution.modal;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import mesh.execution.BackendException;
import modal.router.TaskCommandRouterGrpc;
import modal.router.TaskCommandRouterGrpc.TaskCommandRouterBlockingStub;

/**
 * The workers' routers, which run commands: how each sandbox's is reached, and one connection to
 * each worker for as long as it is used.
 */
final class Routers implements AutoCloseable {

  private static final long IDLE_SECONDS = 60;

  /** Of the sandboxes used last; of any other it is asked again. */
  private static final int MOST_KNOWN = 4096;

  private static final Duration NO_TIME = Duration.ZERO;
  private static final Metadata.Key<String> AUTHORIZATION = Account.key("authorization");

  private final ModalApi api;
  private final Refusals refusals;
  private final boolean plaintext;
  private final ConcurrentMap<String, ManagedChannel> channels = new ConcurrentHashMap<>();
  private final Map<String, Access> known =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Access> eldest) {
              return size() > MOST_KNOWN;
            }
          });

  /**
   * @param plaintext as a simulator speaks, at addresses that all the same begin with https
   */
  Routers(ModalApi api, Refusals refusals, boolean plaintext) {
    this.api = api;
    this.refusals = refusals;
    this.plaintext = plaintext;
  }

  /** Calls about one task, or the reading of a stream of its. */
  @FunctionalInterface
  interface Use<A> {
    A of(TaskCommandRouterBlockingStub stub, String task) throws InterruptedException;
  }

  void learn(String sandbox, Access access) {
    known.put(sandbox, access);
  }

  /** Nothing is to be done there any more. */
  void forget(String sandbox) {
    known.remove(sandbox);
  }

  /**
   * Uses a sandbox's router, again where only the token had ended.
   *
   * @throws StatusRuntimeException if a call failed
   */
  <A> A use(String sandbox, Use<A> use) throws InterruptedException {
    var access = access(sandbox);
    try {
      return used(access, use);
    } catch (StatusRuntimeException failed) {
      if (Calls.code(failed) != Status.Code.UNAUTHENTICATED) {
        throw failed;
      }
      known.remove(sandbox, access);
      return used(access(sandbox), use);
    }
  }

  private <A> A used(Access access, Use<A> use) throws InterruptedException {
    var headers = new Metadata();
    headers.put(AUTHORIZATION, "Bearer " + access.token());
    var stub =
        TaskCommandRouterGrpc.newBlockingStub(channel(access))
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    return Calls.interruptibly(() -> use.of(stub, access.task()));
  }

  private Access access(String sandbox) throws InterruptedException {
    var access = known.get(sandbox);
    if (access == null) {
      access = api.access(sandbox, api.task(sandbox));
      known.put(sandbox, access);
    }
    return access;
  }

  /** The meaning of a failure: a router of a sandbox that is finished may say anything. */
  BackendException failed(String sandbox, StatusRuntimeException failed)
      throws InterruptedException {
    var access = known.remove(sandbox);
    if (access != null && Calls.code(failed) == Status.Code.DEADLINE_EXCEEDED) {
      leave(access.url());
    }
    try {
      if (api.isFinished(sandbox, NO_TIME)) {
        return ModalApi.gone(sandbox);
      }
    } catch (BackendException.Unavailable unknown) {
      // Then nothing more is known than what the router said.
    }
    return switch (Calls.code(failed)) {
      case NOT_FOUND ->
          new BackendException.Unavailable(
              "Modal did not find the sandbox " + sandbox + ", though it runs",
              Duration.ZERO,
              null);
      default -> refusals.of(failed);
    };
  }

  /** What was said, for people. */
  String words(StatusRuntimeException failed) {
    return String.valueOf(refusals.of(failed).getMessage());
  }

  private ManagedChannel channel(Access access) {
    var open = channels.get(access.url());
    return open == null ? opened(access.url()) : open;
  }

  private ManagedChannel opened(String url) {
    var address = address(url);
    // Each worker is at an address of its own, and few are needed again.
    channels.forEach((other, channel) -> {
      if (channel.getState(false) == ConnectivityState.IDLE && channels.remove(other, channel)) {
        channel.shutdown();
      }
    });
    return channels.computeIfAbsent(
        url,
        _ -> {
          var channel = Calls.channel(address, plaintext, IDLE_SECONDS);
          // Connecting, so that nobody takes it for one that is not used any more.
          var _ = channel.getState(true);
          return channel;
        });
  }

  /**
   * Dials anew next time: a connection may be stuck though its peer answers pings. What still reads
   * there goes on.
   */
  private void leave(String url) {
    var stuck = channels.remove(url);
    if (stuck != null) {
      stuck.shutdown();
    }
  }

  private static URI address(String url) {
    try {
      var address = URI.create(url);
      if ("https".equals(address.getScheme()) && address.getHost() != null) {
        return address;
      }
    } catch (IllegalArgumentException malformed) {
      // As below.
    }
    throw new BackendException.Unexpected(
        "Modal answered something other than the address of a worker", null);
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
    channels.clear();
  }
}
