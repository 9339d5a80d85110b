package mesh.simulator.sprites;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** All sprites of the simulated organisation, and when those that are gone were deleted. */
final class Inventory {

  private record Tombstone(Sprite sprite, Instant deletedAt) {}

  private final Path base;
  private final Supplier<Witness> witness;
  private final Map<String, Sprite> live = new HashMap<>();
  private final List<Tombstone> deleted = new ArrayList<>();

  Inventory(Path base, Supplier<Witness> witness) {
    this.base = base;
    this.witness = witness;
  }

  /** Empty if the name is taken. */
  synchronized Optional<Sprite> create(String name, Instant at) {
    if (live.containsKey(name)) {
      return Optional.empty();
    }
    witness.get().created(name);
    var sprite = new Sprite(name, UUID.randomUUID(), at, base, witness);
    live.put(name, sprite);
    return Optional.of(sprite);
  }

  synchronized Optional<Sprite> find(String name) {
    return Optional.ofNullable(live.get(name));
  }

  /** Whether this very sprite was still there; returns when its processes and files are gone. */
  boolean delete(Sprite sprite, Instant at) throws IOException, InterruptedException {
    synchronized (this) {
      if (!live.remove(sprite.name(), sprite)) {
        return false;
      }
      deleted.add(new Tombstone(sprite, at));
    }
    sprite.destroy();
    witness.get().destroyed(sprite.name());
    return true;
  }

  /** By name. */
  synchronized List<Sprite> all() {
    return live.values().stream().sorted(Comparator.comparing(Sprite::name)).toList();
  }

  /** What {@link #all} returned then. */
  synchronized List<Sprite> asOf(Instant then) {
    var sprites = new ArrayList<>(live.values());
    deleted.stream()
        .filter(tombstone -> tombstone.deletedAt().isAfter(then))
        .forEach(tombstone -> sprites.add(tombstone.sprite()));
    return sprites.stream()
        .filter(sprite -> !sprite.createdAt().isAfter(then))
        .sorted(Comparator.comparing(Sprite::name))
        .toList();
  }
}
