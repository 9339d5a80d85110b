package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import mesh.dashboard.view.DayStrip;
import org.junit.jupiter.api.Test;

class DaysTest {

  private static final Instant NOW = Instant.parse("2026-03-10T12:34:00Z");

  @Test
  void whatFailedHangsBelowTheLineThatTheRestStandsOn() {
    DayStrip strip = Days.strip(List.of(new Days.Hour(23, 3, 1, 0, 0)), NOW);

    DayStrip.Bar last = strip.bars().getLast();
    assertThat(last.title()).isEqualTo("12:00 UTC: 3 completed, 1 failed");
    assertThat(last.pieces().getFirst().y()).isLessThan(28);
    assertThat(last.pieces().getLast().y()).isGreaterThan(28);
    assertThat(strip.summary()).endsWith("3 completed, 1 failed");
  }

  @Test
  void aDayWithoutRunsHasItsHoursToo() {
    DayStrip strip = Days.strip(List.of(), NOW);

    assertThat(strip.bars()).hasSize(24);
    assertThat(strip.summary()).endsWith("none");
  }

  @Test
  void noPieceLeavesThePicture() {
    var random = new Random(7);
    for (int round = 0; round < 2_000; round++) {
      var hour = new Days.Hour(3, runs(random), runs(random), runs(random), runs(random));

      for (DayStrip.Piece piece : Days.strip(List.of(hour), NOW).bars().get(3).pieces()) {
        assertThat(piece.y()).as("%s", hour).isNotNegative();
        assertThat(piece.y() + piece.height()).as("%s", hour).isLessThanOrEqualTo(DayStrip.HEIGHT);
      }
    }
  }

  /** From none to very many, small numbers more often. */
  private static long runs(Random random) {
    return random.nextLong(1L << random.nextInt(18));
  }
}
