package mesh.dashboard.view;

/** The hue and shape a state is shown with; always beside a word. */
public enum Mark {
  GOOD,
  ACTIVE,
  ATTENTION,
  BAD,
  QUIET;

  /** Class of the stylesheet and name of the icon. */
  public String key() {
    return switch (this) {
      case GOOD -> "good";
      case ACTIVE -> "active";
      case ATTENTION -> "attention";
      case BAD -> "bad";
      case QUIET -> "quiet";
    };
  }
}
