package mesh.inference;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import mesh.Canaries;
import mesh.inference.Connection.Price;
import mesh.inference.Connection.Wire;
import mesh.outbound.OutboundGuard;
import mesh.secret.Secret;
import mesh.simulator.model.ModelSimulator;
import okhttp3.Dns;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A simulated service with a connection to it, and the pauses that were made instead of waits. */
final class SimulatedService implements AutoCloseable {

  static final JsonMapper JSON = new JsonMapper();

  final ModelSimulator simulator;
  final List<Duration> pauses = new ArrayList<>();
  final String key = Canaries.fresh("sk-");
  final Connection connection;
  final Models models;
  private final Clients clients;

  SimulatedService(Wire wire) throws IOException {
    this(wire, Duration.ofSeconds(20));
  }

  SimulatedService(Wire wire, Duration silence) throws IOException {
    simulator = ModelSimulator.start(0);
    var url = wire == Wire.ANTHROPIC ? simulator.anthropic() : simulator.openAi();
    connection =
        new Connection(
            "main",
            wire,
            URI.create(url),
            true,
            Secret.of(key),
            List.of(new Price("m-1", 3_000_000, 300_000, 15_000_000)));
    clients =
        new Clients(
            new Transport(new OutboundGuard(Dns.SYSTEM)), Clock.systemUTC(), UUID::randomUUID);
    var patience =
        new Patience(
            Duration.ofSeconds(5),
            silence,
            Duration.ofSeconds(30),
            4,
            Duration.ofMinutes(2),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60));
    var attempts = new Attempts(this::nanos, pauses::add, new Random(1));
    models = new Models(name -> Optional.of(connection), clients, attempts, patience);
  }

  /** As if the pauses had been taken. */
  private long nanos() {
    return pauses.stream().mapToLong(Duration::toNanos).sum();
  }

  Model model() {
    return models.of(json("{\"connection\":\"main\",\"model\":\"m-1\"}"));
  }

  Reply ask(Message... messages) throws InterruptedException {
    return model().next(prompt(messages));
  }

  static Prompt prompt(Message... messages) {
    var schema = json("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}");
    return new Prompt(
        "You are careful.",
        List.of(messages),
        List.of(
            new Prompt.ToolOffer("read", "Reads a file.", schema),
            new Prompt.ToolOffer("files.list/all", "Lists files.", json("{}"))));
  }

  static JsonNode json(String json) {
    return JSON.readTree(json);
  }

  @Override
  public void close() {
    clients.close();
    simulator.close();
  }
}
