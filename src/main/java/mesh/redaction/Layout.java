package mesh.redaction;

/**
 * Lays a {@link Trie} out as a table with one row for each state and one column for each class of
 * bytes: a byte that occurs in a needle is a class of its own, all others are class 0. Two more
 * columns hold the state's longest match and its depth.
 *
 * <p>A state is the index of its row, which saves a multiplication for each byte, and the states in
 * which a needle ends are the last ones: to compare the state with one number tells whether there
 * is a match, without another load.
 */
final class Layout {

  private final Trie trie;
  private final char[] classes = new char[256];
  private final int columns;
  private int matching;

  Layout(Trie trie) {
    this.trie = trie;
    var used = new boolean[256];
    for (var state = 1; state < trie.states(); state++) {
      used[trie.label(state) & 0xff] = true;
    }
    var next = 1;
    for (var value = 0; value < 256; value++) {
      if (used[value]) {
        classes[value] = (char) next++;
      }
    }
    columns = next;
  }

  int stride() {
    return columns + 2;
  }

  /** The column of the longest needle that ends in a state. */
  int longestColumn() {
    return columns;
  }

  /** The column of how many of the last bytes are the beginning of a needle. */
  int depthColumn() {
    return columns + 1;
  }

  long entries() {
    return (long) trie.states() * stride();
  }

  char[] classes() {
    return classes;
  }

  Skip skip() {
    return trie.skip();
  }

  int longestNeedle() {
    return trie.longestNeedle();
  }

  /** The states below have a depth from which it pays to try to skip. */
  int shallow() {
    return trie.shallow() * stride();
  }

  /** The first state in which a needle ends. Known once there are {@link #rows}. */
  int matching() {
    return matching;
  }

  int[] rows() {
    var row = number();
    var rows = new int[(int) entries()];
    var depth = 0;
    var nextLevel = 1;
    for (var state = 0; state < row.length; state++) {
      if (state == nextLevel) {
        depth++;
        nextLevel = trie.firstChild(state);
      }
      if (state != 0) {
        // Where no child fits, a state does what the state at the end of its link does.
        System.arraycopy(rows, row[trie.link(state)], rows, row[state], columns);
      }
      for (var child = trie.firstChild(state); child < trie.firstChild(state + 1); child++) {
        rows[row[state] + classes[trie.label(child) & 0xff]] = row[child];
      }
      rows[row[state] + longestColumn()] = trie.longest(state);
      rows[row[state] + depthColumn()] = depth;
    }
    return rows;
  }

  private int[] number() {
    var row = new int[trie.states()];
    var next = 0;
    for (var state = 0; state < row.length; state++) {
      if (trie.longest(state) == 0) {
        row[state] = next;
        next += stride();
      }
    }
    matching = next;
    for (var state = 0; state < row.length; state++) {
      if (trie.longest(state) > 0) {
        row[state] = next;
        next += stride();
      }
    }
    return row;
  }
}
