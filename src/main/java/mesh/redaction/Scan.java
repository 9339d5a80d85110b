package mesh.redaction;

/** How far one stream has got. */
final class Scan {

  /** What the bytes of the stream so far are the beginning of, in the automaton's numbering. */
  int state;

  /** What must not be shown of the bytes that have not been passed on. */
  final Coverage coverage = new Coverage();

  /** The work done so far: it grows with the number of bytes, however hostile they are. */
  long steps;

  private long origin;

  /** Where index 0 of the array to be scanned next is in the stream; may be negative. */
  void origin(long position) {
    origin = position;
  }

  /**
   * Needles cover these indices, if there are any.
   *
   * @return whether the coverage has room for but one more
   */
  boolean found(int from, int to) {
    if (from < to) {
      coverage.add(origin + from, origin + to);
    }
    return coverage.isFull();
  }
}
