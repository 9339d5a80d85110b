package mesh.run;

import java.util.Locale;

/** What may be done about a step whose outcome was lost. */
public enum Replayability {
  /** Changes nothing: may be done again freely. */
  PURE,
  /** Doing it again ends in the same state. */
  IDEMPOTENT,
  /** Never silently done again: whoever drives the run is told that the outcome is unknown. */
  EFFECTFUL;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Replayability of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
