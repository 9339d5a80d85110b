package mesh.dashboard.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WordsTest {

  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  @Test
  void durationsHaveUnits() {
    assertThat(Spoken.duration(Duration.ofMillis(84))).isEqualTo("84 ms");
    assertThat(Spoken.duration(Duration.ofMillis(59_990))).isEqualTo("59.9 s");
    assertThat(Spoken.duration(Duration.ofSeconds(120))).isEqualTo("2 min");
    assertThat(Spoken.duration(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
    assertThat(Spoken.duration(Duration.ofMinutes(252))).isEqualTo("4 h 12 min");
    assertThat(Spoken.duration(Duration.ofHours(49))).isEqualTo("2 d 1 h");
    assertThat(Spoken.duration(Duration.ofMillis(-5))).isEqualTo("0 ms");
  }

  @Test
  void bytesHaveUnits() {
    assertThat(Spoken.bytes(672)).isEqualTo("672 B");
    assertThat(Spoken.bytes(2150)).isEqualTo("2.1 KiB");
    assertThat(Spoken.bytes(64L << 20)).isEqualTo("64 MiB");
    assertThat(Spoken.bytes(Long.MAX_VALUE)).endsWith("TiB");
  }

  @Test
  void timesAreRelativeAndExact() {
    assertThat(When.of(NOW.minusSeconds(192), NOW))
        .isEqualTo(new When("3 min ago", "10 Mar 2026, 11:56:48 UTC", "2026-03-10T11:56:48Z"));
    assertThat(spoken(Duration.ofSeconds(-2))).isEqualTo("just now");
    assertThat(spoken(Duration.ofHours(23))).isEqualTo("23 h ago");
    assertThat(spoken(Duration.ofHours(25))).isEqualTo("yesterday");
    assertThat(spoken(Duration.ofDays(3))).isEqualTo("3 days ago");
    assertThat(spoken(Duration.ofDays(9))).isEqualTo("1 Mar 2026");
    assertThat(spoken(Duration.ofDays(400_000))).isNotEmpty();
  }

  private static String spoken(Duration ago) {
    return When.of(NOW.minus(ago), NOW).spoken();
  }
}
