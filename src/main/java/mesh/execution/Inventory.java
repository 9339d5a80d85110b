package mesh.execution;

import java.util.List;

/**
 * What an account holds, as one installation of Mesh sees it. What is not its own is counted and
 * never named: it has no business there.
 *
 * @param entries everything the installation made that still exists, in any order
 * @param others how many sandboxes carry the key of another installation of Mesh
 * @param unmarked how many carry no key of Mesh's at all: made by hand or by other software
 */
public record Inventory(List<InventoryEntry> entries, int others, int unmarked) {

  public Inventory {
    entries = List.copyOf(entries);
    if (others < 0 || unmarked < 0) {
      throw new IllegalArgumentException("fewer than none: " + others + ", " + unmarked);
    }
  }
}
