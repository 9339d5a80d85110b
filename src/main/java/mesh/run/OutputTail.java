package mesh.run;

/** The last characters of a text that grows. Safe for use by several threads. */
final class OutputTail {

  /** Characters kept, at least; at most twice as many are held. */
  static final int KEPT = 16_000;

  private final StringBuilder text = new StringBuilder();
  private long dropped;

  synchronized void append(String more) {
    int before = Math.max(0, more.length() - KEPT);
    if (before > 0) {
      drop(text.length());
      dropped += before;
    }
    text.append(more, before, more.length());
    if (text.length() > 2 * KEPT) {
      drop(text.length() - KEPT);
    }
  }

  /**
   * Appends what stands at a place in the text, of which this may have a part already, or may miss
   * what comes before.
   */
  synchronized void put(long at, String more) {
    long end = dropped + text.length();
    if (at > end) {
      text.setLength(0);
      dropped = at;
    }
    append(more.substring(Math.clamp(end - at, 0, more.length())));
  }

  private void drop(int characters) {
    text.delete(0, characters);
    dropped += characters;
  }

  /** Never begins within a surrogate pair. */
  synchronized RunOutput.Tail tail() {
    int start = Math.max(0, text.length() - KEPT);
    if (start < text.length() && Character.isLowSurrogate(text.charAt(start))) {
      start++;
    }
    return new RunOutput.Tail(dropped + start, text.substring(start));
  }
}
