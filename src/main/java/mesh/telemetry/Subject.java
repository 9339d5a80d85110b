package mesh.telemetry;

import java.util.Locale;

/** What a {@link Stage} may be about, by its id: in its span and in the log, never in a metric. */
public enum Subject {
  RUN,
  WORKSPACE,
  STEP;

  /** In spans and in JSON lines. */
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** In the log's context; lines that name the same id by themselves have it under {@link #key}. */
  String contextKey() {
    return "mesh." + key();
  }
}
