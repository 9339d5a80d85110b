package mesh.simulator.sprites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.simulator.namespace.Namespace;

/**
 * One sprite: its record, its sessions, and its machine, which is started by the first call that
 * needs it, as the vendor's is.
 */
final class Sprite {

  static final String HOME = "/home/sprite";

  private final String name;
  private final UUID id;
  private final Instant createdAt;
  private final Path base;
  private final Path folder;
  private final Supplier<Witness> witness;
  private final Sessions sessions;
  private final Services services = new Services(this);
  private final Checkpoints checkpoints;
  private volatile List<Map<String, String>> policy = List.of();
  private volatile List<String> labels = List.of();
  private Optional<Namespace> machine = Optional.empty();
  private boolean gone;

  Sprite(String name, UUID id, Instant createdAt, Path base, Supplier<Witness> witness) {
    this.name = name;
    this.id = id;
    this.createdAt = createdAt;
    this.base = base;
    this.folder = base.resolve(id.toString());
    this.witness = witness;
    this.sessions = new Sessions(name, witness);
    this.checkpoints = new Checkpoints(folder);
  }

  String name() {
    return name;
  }

  Instant createdAt() {
    return createdAt;
  }

  Sessions sessions() {
    return sessions;
  }

  Services services() {
    return services;
  }

  Checkpoints checkpoints() {
    return checkpoints;
  }

  List<Map<String, String>> policy() {
    return policy;
  }

  void policy(List<Map<String, String>> rules) {
    policy = List.copyOf(rules);
  }

  void labels(List<String> words) {
    labels = List.copyOf(words);
  }

  synchronized Namespace machine() throws IOException {
    if (gone) {
      throw new IOException("sprite " + name + " was deleted");
    }
    if (machine.isEmpty()) {
      machine = Optional.of(Namespace.open(folder, base, "sprite"));
      witness.get().woke(name);
    }
    return machine.get();
  }

  /** Ends everything that runs; the files stay. */
  synchronized void stop() {
    sessions.drop();
    if (machine.isPresent()) {
      machine.get().close();
      machine = Optional.empty();
      witness.get().slept(name);
    }
  }

  /** Ends everything and removes the files. */
  synchronized void destroy() throws IOException, InterruptedException {
    gone = true;
    services.endAll();
    stop();
    if (Files.exists(folder)) {
      Namespace.asRoot(List.of("rm", "-rf", "--", folder.toString()));
    }
  }

  synchronized boolean isGone() {
    return gone;
  }

  /** The record as the vendor's JSON has it. */
  synchronized Map<String, Object> json(String url) {
    var status = machine.isEmpty() ? "cold" : sessions.isEmpty() ? "warm" : "running";
    var json = new LinkedHashMap<String, Object>();
    json.put("id", "sprite-" + id);
    json.put("name", name);
    json.put("organization", "simulated");
    json.put("url", url);
    json.put("url_settings", Map.of("auth", "sprite"));
    json.put("status", status);
    json.put("created_at", createdAt.toString());
    json.put("updated_at", createdAt.toString());
    json.put("last_running_at", null);
    json.put("last_warming_at", null);
    if (!labels.isEmpty()) {
      json.put("labels", labels);
    }
    json.put("version", Sessions.VERSION);
    json.put("environment_version", Sessions.VERSION);
    return json;
  }
}
