package mesh.simulator.modal;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets faults strike. */
final class Breakage implements ServerInterceptor {

  private final Faults faults;
  private final Timers timers;

  Breakage(Faults faults, Timers timers) {
    this.faults = faults;
    this.timers = timers;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return switch (faults.strike(call.getMethodDescriptor()).orElse(null)) {
      case null -> next.startCall(call, headers);
      case Fault.Refuse it -> refuse(call, it.status().asRuntimeException());
      case Fault.Throttle it -> refuse(call, Refusal.throttled(it.retryAfter()));
      case Fault.LostAnswer it ->
          next.startCall(new BrokenCall<>(call, 0, it.status(), true), headers);
      case Fault.Slow it -> {
        pause(it.delay());
        yield next.startCall(call, headers);
      }
      case Fault.Hang _ -> new ServerCall.Listener<>() {};
      case Fault.Silent _ -> next.startCall(new BrokenCall<>(call, 0, Status.OK, false), headers);
      case Fault.LateEffect it -> late(call, headers, next, it);
      case Fault.CutAfter it ->
          next.startCall(new BrokenCall<>(call, it.bytes(), it.status(), true), headers);
    };
  }

  private static <Q, A> ServerCall.Listener<Q> refuse(
      ServerCall<Q, A> call, StatusRuntimeException status) {
    var trailers = status.getTrailers();
    call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
    return new ServerCall.Listener<>() {};
  }

  /** Blocks one call, each of which has a thread of its own. */
  private static void pause(Duration delay) {
    try {
      var _ = new CountDownLatch(1).await(delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private <Q, A> ServerCall.Listener<Q> late(
      ServerCall<Q, A> call,
      Metadata headers,
      ServerCallHandler<Q, A> next,
      Fault.LateEffect fault) {
    var muted = new BrokenCall<>(call, 0, Status.OK, false);
    return new SimpleForwardingServerCallListener<>(next.startCall(muted, headers)) {
      @Override
      public void onHalfClose() {
        call.close(fault.status(), new Metadata());
        timers.after(fault.delay(), super::onHalfClose);
      }

      @Override
      public void onComplete() {
        // Of what the client was told, which is not what happens.
      }
    };
  }
}
