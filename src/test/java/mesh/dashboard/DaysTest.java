package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import mesh.dashboard.view.DayStrip;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
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

  @Property
  void noPieceLeavesThePicture(
      @ForAll @LongRange(min = 0, max = 100_000) long completed,
      @ForAll @LongRange(min = 0, max = 100_000) long failed,
      @ForAll @LongRange(min = 0, max = 100_000) long other,
      @ForAll @LongRange(min = 0, max = 100_000) long live) {
    DayStrip strip = Days.strip(List.of(new Days.Hour(3, completed, failed, other, live)), NOW);

    for (DayStrip.Piece piece : strip.bars().get(3).pieces()) {
      assertThat(piece.y()).isNotNegative();
      assertThat(piece.y() + piece.height()).isLessThanOrEqualTo(DayStrip.HEIGHT);
    }
  }
}
