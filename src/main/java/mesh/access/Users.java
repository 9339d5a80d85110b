package mesh.access;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** People. What their role is now is known to within five seconds. */
final class Users {

  private static final long FRESH = Duration.ofSeconds(5).toNanos();

  private record Known(Optional<Operator> operator, long at) {}

  private final UserRepository rows;
  private final LongSupplier nanos;
  private final Map<UUID, Known> known = new ConcurrentHashMap<>();

  Users(UserRepository rows, LongSupplier nanos) {
    this.rows = rows;
    this.nanos = nanos;
  }

  /** Empty if the person is disabled or gone. */
  Optional<Operator> current(UUID actor) {
    long now = nanos.getAsLong();
    Known last = known.get(actor);
    if (last == null || now - last.at() >= FRESH) {
      last = new Known(rows.enabled(actor), now);
      known.put(actor, last);
    }
    return last.operator();
  }
}
