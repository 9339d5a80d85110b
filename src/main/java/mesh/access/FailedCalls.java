package mesh.access;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts calls with bad tokens per address, ten a second. Good tokens are never held up: whoever
 * shares an address with an attacker still works, and the attacker learns nothing either way.
 */
final class FailedCalls {

  static final int PER_SECOND = 10;

  private static final int MOST_ADDRESSES = 10_000;

  private record Window(long second, int count) {}

  private final Map<String, Window> windows = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  FailedCalls(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** True if the address has failed too often within this second. */
  boolean tooMany(String address) {
    long second = TimeUnit.NANOSECONDS.toSeconds(nanos.getAsLong());
    if (windows.size() >= MOST_ADDRESSES) {
      windows.values().removeIf(window -> window.second() != second);
    }
    if (windows.size() >= MOST_ADDRESSES && !windows.containsKey(address)) {
      return true;
    }
    Window now =
        windows.merge(
            address,
            new Window(second, 1),
            (old, first) -> old.second() == second ? new Window(second, old.count() + 1) : first);
    return now.count() > PER_SECOND;
  }
}
