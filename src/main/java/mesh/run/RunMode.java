package mesh.run;

import java.util.Locale;

/** Who thinks. */
public enum RunMode {
  /** Mesh's own loop drives the run. */
  HARNESS,
  /** An agent elsewhere calls the tools with the run's token and finishes the run itself. */
  EXTERNAL;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static RunMode of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
