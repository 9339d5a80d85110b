package mesh.redaction;

import java.util.Collection;

/**
 * Finds all occurrences of a set of needles in one pass. Immutable; what changes is in the {@link
 * Scan}. State 0 has seen nothing that could be the beginning of a needle.
 */
sealed interface Automaton permits Trie, NarrowTable, WideTable {

  /** A narrow table numbers its entries in 16 bits. */
  int NARROW_ENTRIES = 1 << 16;

  /** Larger tables cost more memory than their speed is worth. */
  int TABLE_BYTES = 8 << 20;

  /** The fastest form that is small enough. */
  static Automaton of(Collection<byte[]> needles) {
    return of(needles, NARROW_ENTRIES, TABLE_BYTES);
  }

  static Automaton of(Collection<byte[]> needles, int narrowEntries, int tableBytes) {
    var trie = new Trie(needles);
    var layout = new Layout(trie);
    if (layout.entries() <= narrowEntries && layout.entries() * Character.BYTES <= tableBytes) {
      return new NarrowTable(layout);
    }
    if (layout.entries() * Integer.BYTES <= tableBytes) {
      return new WideTable(layout);
    }
    return trie;
  }

  /**
   * Reads {@code bytes} from {@code from}, at most to {@code to}.
   *
   * @return how far it read: less than {@code to} if the coverage has no room for more
   */
  int scan(byte[] bytes, int from, int to, Scan scan);

  /** How many of the last bytes are the beginning of a needle: no later match begins earlier. */
  int depth(int state);

  int longestNeedle();

  /** In bytes. */
  long size();
}
