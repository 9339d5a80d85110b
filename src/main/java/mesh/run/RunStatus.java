package mesh.run;

import java.util.Locale;

/** Where a run is. The database refuses to leave a terminal one. */
public enum RunStatus {
  QUEUED(false),
  RUNNING(false),
  AWAITING_INPUT(false),
  COMPLETED(true),
  FAILED(true),
  CANCELLED(true),
  SUPERSEDED(true),
  BUDGET_EXHAUSTED(true);

  private final boolean terminal;

  RunStatus(boolean terminal) {
    this.terminal = terminal;
  }

  public boolean isTerminal() {
    return terminal;
  }

  /** As JSON and the database have it, such as {@code awaiting_input}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reverse of {@link #word()}. */
  public static RunStatus of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
