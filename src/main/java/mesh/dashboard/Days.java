package mesh.dashboard;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import mesh.dashboard.view.DayStrip;
import mesh.dashboard.view.DayStrip.Bar;
import mesh.dashboard.view.DayStrip.Piece;
import mesh.dashboard.view.DayStrip.Tally;
import mesh.dashboard.view.Mark;
import mesh.run.RunStatus;

/** Draws the last 24 hours: what went well stands on a line, what failed hangs below it. */
final class Days {

  private static final int ABOVE = 28;
  private static final int BELOW = DayStrip.HEIGHT - ABOVE;
  private static final int STEP = 12;
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("HH:'00'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Days() {}

  /**
   * Runs of one hour by what became of them.
   *
   * @param index 0 is the oldest of the 24 hours, 23 the one that goes on
   * @param other cancelled, superseded, out of budget
   * @param live not ended yet
   */
  record Hour(int index, long completed, long failed, long other, long live) {

    static Hour of(int index, RunStatus status, long runs) {
      return switch (status) {
        case COMPLETED -> new Hour(index, runs, 0, 0, 0);
        case FAILED -> new Hour(index, 0, runs, 0, 0);
        case CANCELLED, SUPERSEDED, BUDGET_EXHAUSTED -> new Hour(index, 0, 0, runs, 0);
        case QUEUED, RUNNING, AWAITING_INPUT -> new Hour(index, 0, 0, 0, runs);
      };
    }

    Hour plus(Hour more) {
      return new Hour(
          index,
          completed + more.completed,
          failed + more.failed,
          other + more.other,
          live + more.live);
    }

    long above() {
      return completed + other + live;
    }
  }

  static DayStrip strip(List<Hour> hours, Instant now) {
    long tallest = Math.max(4, hours.stream().mapToLong(Hour::above).max().orElse(0));
    long deepest = Math.max(2, hours.stream().mapToLong(Hour::failed).max().orElse(0));
    List<Bar> bars = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      int index = i;
      Hour hour =
          hours.stream()
              .filter(it -> it.index() == index)
              .findFirst()
              .orElse(new Hour(index, 0, 0, 0, 0));
      bars.add(bar(hour, tallest, deepest, now));
    }
    Hour all =
        new Hour(
            0,
            hours.stream().mapToLong(Hour::completed).sum(),
            hours.stream().mapToLong(Hour::failed).sum(),
            hours.stream().mapToLong(Hour::other).sum(),
            hours.stream().mapToLong(Hour::live).sum());
    return new DayStrip(bars, tallies(all), "Runs started in the last 24 hours: " + words(all));
  }

  private static Bar bar(Hour hour, long tallest, long deepest, Instant now) {
    List<Piece> pieces = new ArrayList<>();
    int y = ABOVE;
    y = stack(pieces, Mark.GOOD, hour.completed(), tallest, y);
    y = stack(pieces, Mark.QUIET, hour.other(), tallest, y);
    stack(pieces, Mark.ACTIVE, hour.live(), tallest, y);
    if (hour.failed() > 0) {
      pieces.add(new Piece(Mark.BAD.key(), ABOVE + 1, height(hour.failed(), deepest, BELOW - 1)));
    }
    Instant start = now.truncatedTo(ChronoUnit.HOURS).minus(23L - hour.index(), ChronoUnit.HOURS);
    return new Bar(hour.index() * STEP + 1, HOUR.format(start) + " UTC: " + words(hour), pieces);
  }

  private static int stack(List<Piece> pieces, Mark mark, long count, long most, int base) {
    if (count == 0) {
      return base;
    }
    // Rounding up may exceed the room by a unit or two when three pieces meet.
    int height = Math.min(base, height(count, most, ABOVE));
    pieces.add(new Piece(mark.key(), base - height, height));
    return base - height;
  }

  private static int height(long count, long most, int room) {
    return (int) Math.max(2, Math.round((double) count / most * room));
  }

  private static List<Tally> tallies(Hour all) {
    return List.of(
        new Tally(Mark.GOOD, number(all.completed()), "completed", "/runs?status=completed"),
        new Tally(Mark.BAD, number(all.failed()), "failed", "/runs?status=failed"),
        new Tally(Mark.ACTIVE, number(all.live()), "going on", "/runs?status=running"),
        new Tally(Mark.QUIET, number(all.other()), "stopped", "/runs?status=cancelled"));
  }

  private static String words(Hour hour) {
    StringJoiner words = new StringJoiner(", ");
    words.setEmptyValue("none");
    word(words, hour.completed(), "completed");
    word(words, hour.failed(), "failed");
    word(words, hour.live(), "going on");
    word(words, hour.other(), "stopped");
    return words.toString();
  }

  private static void word(StringJoiner words, long count, String word) {
    if (count > 0) {
      words.add(number(count) + " " + word);
    }
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
