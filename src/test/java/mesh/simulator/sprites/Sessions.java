package mesh.simulator.sprites;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A sprite's running commands; one that has ended is gone at once, and only its id is known. */
final class Sessions {

  static final String VERSION = "v0.0.1-rc48";

  private final Map<String, Session> running = new ConcurrentHashMap<>();
  private final Map<String, Integer> ended = new ConcurrentHashMap<>();
  private final AtomicInteger unseen = new AtomicInteger(100_000);
  private final String sprite;
  private final Supplier<Witness> witness;

  Sessions(String sprite, Supplier<Witness> witness) {
    this.sprite = sprite;
    this.witness = witness;
  }

  /** The process id as the sprite sees it, or a made-up one if the command ended too soon. */
  String idFor(int pid) {
    return Integer.toString(pid > 0 ? pid : unseen.incrementAndGet());
  }

  void add(Session session) {
    ended.remove(session.id());
    running.put(session.id(), session);
    witness.get().began(sprite, session.id());
  }

  void end(Session session, int exitCode) {
    ended.put(session.id(), exitCode);
    running.remove(session.id(), session);
    witness.get().ended(sprite, session.id());
  }

  void heard(Session session, byte[] input) {
    witness.get().heard(sprite, session.id(), input);
  }

  Optional<Session> find(String id) {
    return Optional.ofNullable(running.get(id));
  }

  boolean hasEnded(String id) {
    return ended.containsKey(id);
  }

  boolean isEmpty() {
    return running.isEmpty();
  }

  Collection<Session> all() {
    return List.copyOf(running.values());
  }

  /** The sprite goes down: nobody is told how its commands ended. */
  void drop() {
    all().forEach(Session::drop);
    running.clear();
  }
}
