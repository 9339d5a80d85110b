package mesh.dashboard.output;

import java.util.List;

/**
 * Rows with a middle that is folded away when there are many.
 *
 * @param head shown
 * @param middle shown when asked for; empty if all is shown
 * @param tail shown; empty if all fits into the head
 */
public record Folded(List<Row> head, List<Row> middle, List<Row> tail) {

  private static final int HEAD = 12;
  private static final int TAIL = 12;

  /** Below this a fold costs more room than it saves. */
  private static final int LEAST_FOLD = 8;

  public Folded {
    head = List.copyOf(head);
    middle = List.copyOf(middle);
    tail = List.copyOf(tail);
  }

  public static Folded of(List<Row> rows) {
    if (rows.size() < HEAD + LEAST_FOLD + TAIL) {
      return new Folded(rows, List.of(), List.of());
    }
    return new Folded(
        rows.subList(0, HEAD),
        rows.subList(HEAD, rows.size() - TAIL),
        rows.subList(rows.size() - TAIL, rows.size()));
  }

  public static Folded of(String output) {
    return of(Terminal.rows(output));
  }

  public boolean isEmpty() {
    return head.isEmpty();
  }
}
