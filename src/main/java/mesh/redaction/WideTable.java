package mesh.redaction;

/** The automaton as a table of {@code int}: one load for each byte. */
final class WideTable implements Automaton {

  private final int[] next;
  private final char[] classes;
  private final int matching;
  private final int shallow;
  private final int longestColumn;
  private final int depthColumn;
  private final int longestNeedle;
  private final Skip skip;

  WideTable(Layout layout) {
    next = layout.rows();
    classes = layout.classes();
    matching = layout.matching();
    shallow = layout.shallow();
    longestColumn = layout.longestColumn();
    depthColumn = layout.depthColumn();
    longestNeedle = layout.longestNeedle();
    skip = layout.skip();
  }

  @Override
  public int scan(byte[] bytes, int from, int to, Scan scan) {
    var next = this.next;
    var classes = this.classes;
    var matching = this.matching;
    var shallow = this.shallow;
    var state = scan.state;
    var i = from;
    var stop = from;
    var run = 1;
    var steps = 0L;
    var begin = 0;
    var end = Integer.MIN_VALUE;
    while (i < to) {
      if (state < shallow && i >= stop) {
        var start = skip.next(bytes, i, next[state + depthColumn], to);
        if (start > i) {
          state = 0;
        }
        run = skip.patience(run, start - i);
        i = start;
        if (i == to) {
          break;
        }
        stop = to - i > run ? i + run : to;
      }
      var before = i;
      state = next[state + classes[bytes[i++] & 0xff]];
      if (state < matching && i < to && (state >= shallow || i < stop)) {
        var ran = run(bytes, i, stop, to, state);
        i = (int) ran;
        state = (int) (ran >>> Integer.SIZE);
      }
      steps += i - before + 1;
      if (state >= matching) {
        var start = i - next[state + longestColumn];
        if (start > end) {
          var full = scan.found(begin, end);
          begin = start;
          end = i;
          if (full) {
            break;
          }
        }
        begin = Math.min(begin, start);
        end = i;
      }
    }
    scan.found(begin, end);
    scan.steps += steps;
    scan.state = state;
    return i;
  }

  /**
   * Steps at least to {@code stop}, then until it pays to skip, or to a match. A method of its own,
   * so that the compiler keeps its few variables in registers even where skipping is the rule.
   *
   * @return the state, and in the lower half how far it came
   */
  private long run(byte[] bytes, int from, int stop, int to, int before) {
    var next = this.next;
    var classes = this.classes;
    var matching = this.matching;
    var shallow = this.shallow;
    var state = before;
    var i = from;
    do {
      state = next[state + classes[bytes[i++] & 0xff]];
    } while (state < matching && i < to && (state >= shallow || i < stop));
    return (long) state << Integer.SIZE | i;
  }

  @Override
  public int depth(int state) {
    return next[state + depthColumn];
  }

  @Override
  public int longestNeedle() {
    return longestNeedle;
  }

  @Override
  public long size() {
    return 4L * next.length + 2L * classes.length + skip.size();
  }
}
