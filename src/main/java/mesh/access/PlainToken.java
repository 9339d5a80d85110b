package mesh.access;

/**
 * A token in the one moment it exists in the clear: it is shown to its holder once, and only its
 * hash is kept. Printing it prints nothing of it.
 */
public final class PlainToken {

  private final String text;

  PlainToken(String text) {
    this.text = text;
  }

  /** For the answer that hands it over, and for nothing else. */
  public String reveal() {
    return text;
  }

  @Override
  public String toString() {
    return "[token]";
  }
}
