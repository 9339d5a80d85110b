package mesh.inference;

import java.time.InstantSource;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** One client for each connection as it is now, all over one transport. */
final class Clients implements AutoCloseable {

  private final Transport transport;
  private final InstantSource clock;
  private final Supplier<UUID> ids;
  private final Map<String, Client> byName = new ConcurrentHashMap<>();

  Clients(Transport transport, InstantSource clock, Supplier<UUID> ids) {
    this.transport = transport;
    this.clock = clock;
    this.ids = ids;
  }

  /** The same as last time, unless the connection was changed since. */
  Client of(Connection connection, Patience patience) {
    return byName.compute(
        connection.name(),
        (_, known) ->
            known != null && known.connection().equals(connection)
                ? known
                : open(connection, patience));
  }

  /** One that nobody else is given. */
  Client open(Connection connection, Patience patience) {
    var route = transport.route(connection, patience);
    var troubles = new Troubles(connection, clock);
    return switch (connection.wire()) {
      case ANTHROPIC -> new AnthropicClient(route, troubles, ids);
      case OPENAI -> new OpenAiClient(route, troubles, ids);
    };
  }

  @Override
  public void close() {
    transport.close();
  }
}
