package mesh.dashboard.view;

import java.util.List;

/**
 * The names in an agent's vault, and the form that sets one.
 *
 * @param open whether the form is unfolded
 */
public record VaultBlock(List<Line> entries, boolean open, Field name, Field value) {

  public VaultBlock {
    entries = List.copyOf(entries);
  }

  /**
   * An entry.
   *
   * @param warning what is unwise about it; empty if nothing
   * @param replace address of the page with the form open for it
   */
  public record Line(
      String name, String variable, When setAt, String setBy, String warning, String replace) {}
}
