package mesh.simulator.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * All objects and what happened to them, in order. Thread-safe; an object that is in it is never
 * changed but replaced by another.
 */
final class Store {

  /** How much of the past a watch may ask for. */
  private static final int KEPT_CHANGES = 20_000;

  /** The objects of one type as they were at one moment. */
  record Listing(long version, List<ObjectNode> objects) {}

  private final Supplier<InstantSource> clock;
  private final Map<ResourceType, SortedMap<String, ObjectNode>> objects =
      new TreeMap<>(Comparator.comparing(ResourceType::qualified));
  private final List<Change> changes = new ArrayList<>();
  private long version = 1000;
  private long forgotten = 1000;

  Store(Supplier<InstantSource> clock) {
    this.clock = clock;
  }

  Instant now() {
    return clock.get().instant();
  }

  private SortedMap<String, ObjectNode> of(ResourceType type) {
    return objects.computeIfAbsent(type, _ -> new TreeMap<>());
  }

  private static String place(Key key) {
    return key.namespace() + "/" + key.name();
  }

  /** Gives a new object its identity, which is what it is like from then on. */
  static void identify(ObjectNode object, Instant now) {
    var metadata = Json.metadata(object);
    metadata.put("uid", UUID.randomUUID().toString());
    metadata.put("creationTimestamp", Json.time(now));
    metadata.put("generation", 1);
  }

  /**
   * @throws Refusal if there is one
   */
  synchronized ObjectNode create(Key key, ObjectNode object) {
    if (of(key.type()).containsKey(place(key))) {
      throw Refusal.alreadyExists(key);
    }
    return put(Change.Kind.ADDED, key, object, null);
  }

  synchronized Optional<ObjectNode> find(Key key) {
    return Optional.ofNullable(of(key.type()).get(place(key)));
  }

  /**
   * @throws Refusal if there is none
   */
  ObjectNode get(Key key) {
    return find(key).orElseThrow(() -> Refusal.notFound(key));
  }

  /**
   * Changes an object; nothing happened if that makes no difference.
   *
   * @throws Refusal if there is none
   */
  synchronized ObjectNode update(Key key, Consumer<ObjectNode> change) {
    var before = get(key);
    var after = before.deepCopy();
    change.accept(after);
    return after.equals(before) ? before : put(Change.Kind.MODIFIED, key, after, before);
  }

  /** Changes this very object if it is still there. */
  synchronized boolean updateIfThere(Key key, String uid, Consumer<ObjectNode> change) {
    if (!isThere(key, uid)) {
      return false;
    }
    update(key, change);
    return true;
  }

  private boolean isThere(Key key, String uid) {
    return find(key).filter(it -> Json.text(it, "metadata.uid").equals(uid)).isPresent();
  }

  /** Removes this very object; whether it was there. */
  synchronized boolean remove(Key key, String uid) {
    if (!isThere(key, uid)) {
      return false;
    }
    var before = get(key);
    of(key.type()).remove(place(key));
    record(Change.Kind.DELETED, key, before.deepCopy(), before);
    return true;
  }

  private ObjectNode put(
      Change.Kind kind, Key key, ObjectNode object, @Nullable ObjectNode before) {
    record(kind, key, object, before);
    of(key.type()).put(place(key), object);
    return object;
  }

  private void record(Change.Kind kind, Key key, ObjectNode object, @Nullable ObjectNode before) {
    version++;
    Json.metadata(object).put("resourceVersion", Long.toString(version));
    changes.add(new Change(version, now(), kind, key, object, before));
    if (changes.size() > KEPT_CHANGES) {
      forgotten = changes.removeFirst().version();
    }
    notifyAll();
  }

  /** What names the object with this unique id as an owner. */
  synchronized List<Key> dependentsOf(String uid) {
    return keys(it ->
        it.path("metadata")
            .path("ownerReferences")
            .valueStream()
            .anyMatch(owner -> owner.path("uid").asString("").equals(uid)));
  }

  synchronized List<Key> keysIn(String namespace) {
    return keys(it -> Json.text(it, "metadata.namespace").equals(namespace));
  }

  synchronized boolean exists(String uid) {
    return !keys(it -> Json.text(it, "metadata.uid").equals(uid)).isEmpty();
  }

  private List<Key> keys(Predicate<ObjectNode> condition) {
    var keys = new ArrayList<Key>();
    objects.forEach((type, all) ->
        all.values().stream().filter(condition).forEach(it -> keys.add(Key.of(type, it))));
    return keys;
  }

  /** Those of one namespace, or of all if it is empty, by namespace and name. */
  synchronized Listing list(ResourceType type, String namespace) {
    return new Listing(version, in(namespace, of(type)));
  }

  /** What {@link #list} returned then. */
  synchronized Listing listAsOf(Instant then, ResourceType type, String namespace) {
    var past = new TreeMap<>(of(type));
    for (var change : changes.reversed()) {
      if (!change.at().isAfter(then)) {
        return new Listing(change.version(), in(namespace, past));
      }
      if (change.key().type().equals(type)) {
        if (change.before() == null) {
          past.remove(place(change.key()));
        } else {
          past.put(place(change.key()), change.before());
        }
      }
    }
    return new Listing(forgotten, in(namespace, past));
  }

  private static List<ObjectNode> in(String namespace, SortedMap<String, ObjectNode> all) {
    Collection<ObjectNode> found =
        namespace.isEmpty() ? all.values() : all.subMap(namespace + "/", namespace + "0").values();
    return List.copyOf(found);
  }

  /**
   * Waits for something to happen to objects of this type after {@code since}, or for the time to
   * be over: then there is nothing.
   *
   * @throws Refusal if that is longer ago than can be told
   */
  synchronized List<Change> changesAfter(
      long since, ResourceType type, String namespace, Duration patience)
      throws InterruptedException {
    var deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      if (since < forgotten) {
        throw Refusal.expired("too old resource version: " + since + " (" + version + ")");
      }
      var found = new ArrayList<Change>();
      for (var at = changes.size() - 1; at >= 0 && changes.get(at).version() > since; at--) {
        var key = changes.get(at).key();
        if (key.type().equals(type) && (namespace.isEmpty() || key.namespace().equals(namespace))) {
          found.addFirst(changes.get(at));
        }
      }
      var left = deadline - System.nanoTime();
      if (!found.isEmpty() || left <= 0) {
        return found;
      }
      wait(Math.max(1, left / 1_000_000));
    }
  }

  synchronized long version() {
    return version;
  }

  synchronized void forgetChanges() {
    forgotten = version;
    changes.clear();
  }
}
