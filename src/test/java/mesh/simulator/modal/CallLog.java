package mesh.simulator.modal;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The latest calls. */
final class CallLog implements ServerInterceptor {

  private static final Set<String> SECRET =
      Set.of("authorization", "x-modal-auth-token", "x-modal-token-secret");

  private static final int MOST = 100_000;

  private final Deque<RecordedCall> calls = new ArrayDeque<>();
  private final Settings settings;

  CallLog(Settings settings) {
    this.settings = settings;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    var metadata = new HashMap<String, String>();
    for (var name : headers.keys()) {
      if (!SECRET.contains(name) && !name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        var key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
        Optional.ofNullable(headers.get(key)).ifPresent(value -> metadata.put(name, value));
      }
    }
    var method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
    add(new RecordedCall(method, metadata, settings.now()));
    return next.startCall(call, headers);
  }

  private synchronized void add(RecordedCall call) {
    if (calls.size() == MOST) {
      calls.removeFirst();
    }
    calls.addLast(call);
  }

  synchronized List<RecordedCall> calls() {
    return List.copyOf(calls);
  }

  synchronized List<RecordedCall> calls(MethodDescriptor<?, ?> method) {
    return calls.stream().filter(call -> call.method().equals(method.getBareMethodName())).toList();
  }

  synchronized void forget() {
    calls.clear();
  }
}
