package mesh.redaction;

import java.util.Arrays;
import java.util.Collection;

/**
 * The secrets as a tree of bytes, with the links to follow when a byte does not fit: the automaton
 * of Aho and Corasick, "Efficient string matching" (CACM 18, 1975), in its compact form. 13 bytes a
 * state, whatever the alphabet; amortised over a stream it follows at most one link a byte.
 *
 * <p>States are numbered breadth first, so that the children of a state are neighbours and a
 * state's depth follows from its number.
 */
final class Trie implements Automaton {

  /** Depths that are asked for so often that they are tried first. */
  private static final int NEAR_THE_ROOT = 4;

  private final byte[] label;
  private final int[] firstChild;
  private final int[] link;
  private final int[] longest;
  private final int[] root = new int[256];
  private final int[] levels;
  private final Skip skip;
  private final int shallow;

  /**
   * @param needles not empty, none of them empty
   */
  Trie(Collection<byte[]> needles) {
    var sorted = sortedAndDistinct(needles);
    var states = 1;
    var depth = 0;
    for (var i = 0; i < sorted.length; i++) {
      var shared = i == 0 ? 0 : Arrays.mismatch(sorted[i - 1], sorted[i]);
      states += sorted[i].length - shared;
      depth = Math.max(depth, sorted[i].length);
    }
    label = new byte[states];
    firstChild = new int[states + 1];
    link = new int[states];
    longest = new int[states];
    levels = new int[depth + 2];
    grow(sorted, states);
    skip = new Skip(sorted);
    shallow = levels[Math.min(skip.shallow(), depth) + 1];
  }

  private static byte[][] sortedAndDistinct(Collection<byte[]> needles) {
    var sorted = needles.toArray(byte[][]::new);
    Arrays.sort(sorted, Arrays::compare);
    var distinct = 0;
    for (var needle : sorted) {
      if (distinct == 0 || !Arrays.equals(sorted[distinct - 1], needle)) {
        sorted[distinct++] = needle;
      }
    }
    return Arrays.copyOf(sorted, distinct);
  }

  /** In sorted order the needles below a state are a range, which its children divide. */
  private void grow(byte[][] sorted, int states) {
    var low = new int[states];
    var high = new int[states];
    high[0] = sorted.length;
    var made = 1;
    var depth = 0;
    levels[1] = 1;
    for (var state = 0; state < states; state++) {
      if (state == levels[depth + 1]) {
        depth++;
        levels[depth + 1] = made;
      }
      firstChild[state] = made;
      var i = low[state];
      longest[state] = longest[link[state]];
      if (sorted[i].length == depth) {
        longest[state] = depth;
        i++;
      }
      while (i < high[state]) {
        var value = sorted[i][depth];
        low[made] = i;
        while (i < high[state] && sorted[i][depth] == value) {
          i++;
        }
        high[made] = i;
        label[made] = value;
        if (state == 0) {
          root[value & 0xff] = made;
        } else {
          link[made] = step(link[state], value);
        }
        made++;
      }
    }
    firstChild[states] = made;
  }

  private int step(int from, byte value) {
    var state = from;
    while (state != 0) {
      for (var child = firstChild[state]; child < firstChild[state + 1]; child++) {
        if (label[child] == value) {
          return child;
        }
      }
      state = link[state];
    }
    return root[value & 0xff];
  }

  @Override
  public int scan(byte[] bytes, int from, int to, Scan scan) {
    var state = scan.state;
    var i = from;
    var stop = from;
    var run = 1;
    var steps = 0L;
    var full = false;
    while (i < to && !full) {
      if (state < shallow && i >= stop) {
        var start = skip.next(bytes, i, depth(state), to);
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
      do {
        state = step(state, bytes[i++]);
      } while (longest[state] == 0 && i < to && (state >= shallow || i < stop));
      steps += i - before + 1;
      full = scan.found(i - longest[state], i);
    }
    scan.steps += steps;
    scan.state = state;
    return i;
  }

  @Override
  public int depth(int state) {
    for (var depth = 0; depth < Math.min(NEAR_THE_ROOT, longestNeedle()); depth++) {
      if (state < levels[depth + 1]) {
        return depth;
      }
    }
    var level = Arrays.binarySearch(levels, state);
    return level >= 0 ? level : -level - 2;
  }

  @Override
  public int longestNeedle() {
    return levels.length - 2;
  }

  @Override
  public long size() {
    return 13L * states() + 4L * levels.length + 4L * root.length + skip.size();
  }

  int states() {
    return link.length;
  }

  int link(int state) {
    return link[state];
  }

  int longest(int state) {
    return longest[state];
  }

  int firstChild(int state) {
    return firstChild[state];
  }

  byte label(int state) {
    return label[state];
  }

  Skip skip() {
    return skip;
  }

  /** The number of states that are so near the root that it pays to try to skip. */
  int shallow() {
    return shallow;
  }
}
