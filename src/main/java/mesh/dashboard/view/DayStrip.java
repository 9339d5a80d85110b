package mesh.dashboard.view;

import java.util.List;

/**
 * The last 24 hours by outcome.
 *
 * @param summary in words, for those who do not see the bars
 */
public record DayStrip(List<Bar> bars, List<Tally> tallies, String summary) {

  /** Height of a full bar in units of the picture. */
  public static final int HEIGHT = 40;

  public DayStrip {
    bars = List.copyOf(bars);
    tallies = List.copyOf(tallies);
  }

  /**
   * One hour.
   *
   * @param x left edge
   * @param title such as "14:00: 3 completed, 1 failed"
   */
  public record Bar(int x, String title, List<Piece> pieces) {
    public Bar {
      pieces = List.copyOf(pieces);
    }
  }

  /** A part of a bar; y counts from the top. */
  public record Piece(String mark, int y, int height) {}

  /** A number of the legend. */
  public record Tally(Mark mark, String number, String word, String href) {}
}
