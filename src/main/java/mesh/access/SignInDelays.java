package mesh.access;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * After five wrong passwords an account and an address wait before the next try: one second, then
 * twice as long each time, up to a minute. Nobody is locked out for good, the last admin included.
 */
final class SignInDelays {

  private static final int FREE = 5;
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final long FORGET = Duration.ofMinutes(15).toNanos();
  private static final int MOST = 10_000;

  private record Failures(int count, long last) {

    long waitNanos() {
      return count < FREE
          ? 0
          : Math.min(
              Duration.ofSeconds(1L << Math.min(count - FREE, 6)).toNanos(), LONGEST.toNanos());
    }
  }

  private final Map<String, Failures> failures = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  SignInDelays(LongSupplier nanos) {
    this.nanos = nanos;
  }

  boolean mustWait(String name, String address) {
    return mustWait(account(name)) || mustWait(address);
  }

  void failed(String name, String address) {
    failed(account(name));
    failed(address);
  }

  /** Forgives the account. The address is not: it may be trying others. */
  void succeeded(String name) {
    failures.remove(account(name));
  }

  private boolean mustWait(String key) {
    Failures known = failures.get(key);
    return known != null && nanos.getAsLong() - known.last() < known.waitNanos();
  }

  private void failed(String key) {
    long now = nanos.getAsLong();
    if (failures.size() >= MOST) {
      failures.values().removeIf(old -> now - old.last() > FORGET);
    }
    if (failures.size() >= MOST) {
      failures.clear();
    }
    failures.merge(
        key,
        new Failures(1, now),
        (old, first) -> now - old.last() > FORGET ? first : new Failures(old.count() + 1, now));
  }

  private static String account(String name) {
    return "account " + name.toLowerCase(Locale.ROOT);
  }
}
