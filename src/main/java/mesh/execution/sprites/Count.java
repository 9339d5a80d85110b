package mesh.execution.sprites;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.SandboxKey;
import tools.jackson.databind.JsonNode;

/**
 * Takes stock of the sprites of an account, each by its name and so once, on however many pages.
 */
final class Count {

  private final InstallationId installation;
  private final Map<String, InventoryEntry> own = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final Set<String> unmarked = new HashSet<>();

  Count(InstallationId installation) {
    this.installation = installation;
  }

  void add(JsonNode sprite) {
    var name = sprite.path("name").asString("");
    var key = key(name);
    if (key.isEmpty()) {
      unmarked.add(name);
    } else if (key.get().isOf(installation)) {
      own.put(name, new InventoryEntry(key.get(), ExternalRef.of(name), created(sprite, name)));
    } else {
      others.add(name);
    }
  }

  private static Optional<SandboxKey> key(String name) {
    try {
      return Optional.of(new SandboxKey(name));
    } catch (IllegalArgumentException madeByHand) {
      return Optional.empty();
    }
  }

  private static Instant created(JsonNode sprite, String name) {
    try {
      return Instant.parse(sprite.path("created_at").asString(""));
    } catch (DateTimeParseException noTime) {
      throw new BackendException.Unexpected("Fly Sprites does not say when it made " + name, null);
    }
  }

  Inventory inventory() {
    return new Inventory(List.copyOf(own.values()), others.size(), unmarked.size());
  }
}
