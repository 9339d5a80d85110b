package mesh.web;

/**
 * How many rows of a list a caller wants, 1 to 200.
 *
 * <p>A controller takes {@code @RequestParam(defaultValue = Limit.DEFAULT) Limit limit}.
 */
public record Limit(int rows) {

  public static final String DEFAULT = "50";

  private static final int MOST = 200;

  public Limit {
    if (rows < 1 || rows > MOST) {
      throw invalid();
    }
  }

  /**
   * Reads a parameter. Spring MVC finds it by its name.
   *
   * @throws Problem 400 {@code limit_invalid}
   */
  public static Limit valueOf(String text) {
    try {
      return new Limit(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      throw invalid();
    }
  }

  /** One more than wanted: the row that tells whether another page follows. */
  public int toFetch() {
    return rows + 1;
  }

  private static Problem invalid() {
    return Problem.badRequest("limit_invalid", "Parameter limit must be 1 to " + MOST + ".");
  }
}
