package mesh.dashboard.view;

/**
 * A named value of a header.
 *
 * @param note more in small print; empty for none
 * @param code whether the value is a word of machines, shown in monospace
 */
public record Fact(String name, String value, String note, boolean code) {

  public static Fact of(String name, String value) {
    return new Fact(name, value, "", false);
  }
}
