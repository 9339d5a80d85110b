package mesh.agentapi;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import mesh.database.Notifications;
import mesh.tool.Cancellation;
import org.springframework.stereotype.Component;

/**
 * The calls that MCP clients wait for, by the names of their requests. A client says in another
 * request that it waits no longer, which a balancer may bring to another instance.
 */
@Component
class McpCalls {

  private static final String CHANNEL = "mesh_mcp_cancelled";
  private static final String CANCELLED = "The caller cancelled the call";

  private final Notifications notifications;
  private final Map<String, Cancellation> running = new ConcurrentHashMap<>();

  McpCalls(Notifications notifications) {
    this.notifications = notifications;
    notifications.listen(CHANNEL, this::cancelHere);
  }

  /** Empty if a call of that name is under way. Whoever gets one must close it. */
  Optional<Running> begin(String request) {
    var call = new Running(request, new Cancellation());
    return running.putIfAbsent(request, call.cancellation()) == null
        ? Optional.of(call)
        : Optional.empty();
  }

  /** Ends it wherever it runs; does nothing if it is over. */
  void cancel(String request) {
    if (!cancelHere(request)) {
      notifications.send(CHANNEL, List.of(request));
    }
  }

  private boolean cancelHere(String request) {
    var cancellation = running.get(request);
    if (cancellation != null) {
      cancellation.cancel(CANCELLED);
    }
    return cancellation != null;
  }

  /** A call that can be cancelled until it is closed. */
  final class Running implements AutoCloseable {

    private final String request;
    private final Cancellation cancellation;

    private Running(String request, Cancellation cancellation) {
      this.request = request;
      this.cancellation = cancellation;
    }

    Cancellation cancellation() {
      return cancellation;
    }

    @Override
    public void close() {
      running.remove(request, cancellation);
    }
  }
}
