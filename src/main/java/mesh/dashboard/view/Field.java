package mesh.dashboard.view;

import org.jspecify.annotations.Nullable;

/**
 * A field of a form.
 *
 * @param hint what to enter; empty if the label says it
 * @param value what is in it at first; always empty for what is write-only
 * @param error what is wrong with it and what to do; empty if nothing
 */
public record Field(String id, String name, String label, String hint, String value, String error) {

  /** Null where nothing is. */
  public @Nullable String describedBy() {
    String ids =
        ((hint.isEmpty() ? "" : id + "-hint ") + (error.isEmpty() ? "" : id + "-wrong")).strip();
    return ids.isEmpty() ? null : ids;
  }

  /** Null for a field that is right. */
  public @Nullable String invalid() {
    return error.isEmpty() ? null : "true";
  }
}
