package mesh.redaction;

import java.util.Arrays;

/** The covered parts of a stream that are still to be written, apart from each other, in order. */
final class Coverage {

  private long[] from = new long[64];
  private long[] to = new long[64];
  private int first;
  private int end;

  /** Covers a part that ends where or after all others end. */
  void add(long begin, long finish) {
    var start = begin;
    while (end > first && to[end - 1] >= start) {
      start = Math.min(start, from[--end]);
    }
    from[end] = start;
    to[end++] = finish;
  }

  /** With room for but one more, parts must be removed or {@link #makeRoom} be called. */
  boolean isFull() {
    return end >= from.length - 1;
  }

  void makeRoom() {
    if (end - first > from.length / 2) {
      from = Arrays.copyOf(from, from.length * 2);
      to = Arrays.copyOf(to, to.length * 2);
    }
    System.arraycopy(from, first, from, 0, end - first);
    System.arraycopy(to, first, to, 0, end - first);
    end -= first;
    first = 0;
  }

  boolean beginsBefore(long position) {
    return end > first && from[first] < position;
  }

  long begin() {
    return from[first];
  }

  long finish() {
    return to[first];
  }

  void removeFirst() {
    first++;
    if (first == end) {
      first = 0;
      end = 0;
    }
  }

  /** Leaves of the first part only what is from a position on. */
  void trimFirst(long position) {
    from[first] = position;
  }
}
