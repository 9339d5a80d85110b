package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SignInDelaysTest {

  private long now;
  private final SignInDelays delays = new SignInDelays(() -> now);

  @Test
  void fiveTriesAreFree() {
    fail(4, "ann", "a");

    assertThat(delays.mustWait("ann", "a")).isFalse();
    fail(1, "ann", "a");
    assertThat(delays.mustWait("ann", "a")).isTrue();
  }

  @Test
  void eachFurtherOneDoublesTheWaitUpToAMinute() {
    fail(5, "ann", "a");
    pass(Duration.ofSeconds(1));
    assertThat(delays.mustWait("ann", "a")).isFalse();

    fail(1, "ann", "a");
    pass(Duration.ofSeconds(1));
    assertThat(delays.mustWait("ann", "a")).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(delays.mustWait("ann", "a")).isFalse();

    fail(50, "ann", "a");
    pass(Duration.ofSeconds(59));
    assertThat(delays.mustWait("ann", "a")).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(delays.mustWait("ann", "a")).isFalse();
  }

  @Test
  void anAccountWaitsWhateverTheAddressAndTheOtherWayRound() {
    for (int i = 0; i < 5; i++) {
      delays.failed("Ann", "address " + i);
      delays.failed("user " + i, "b");
    }

    assertThat(delays.mustWait("ann", "elsewhere")).isTrue();
    assertThat(delays.mustWait("somebody", "b")).isTrue();
    assertThat(delays.mustWait("somebody", "elsewhere")).isFalse();
  }

  @Test
  void successForgivesTheAccountAndTimeForgivesAll() {
    fail(5, "ann", "a");
    delays.succeeded("ann");
    assertThat(delays.mustWait("ann", "b")).isFalse();
    assertThat(delays.mustWait("ann", "a")).isTrue();

    pass(Duration.ofMinutes(16));
    fail(1, "ann", "a");
    assertThat(delays.mustWait("ann", "a")).isFalse();
  }

  private void fail(int times, String name, String address) {
    for (int i = 0; i < times; i++) {
      delays.failed(name, address);
    }
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
