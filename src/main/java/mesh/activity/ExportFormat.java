package mesh.activity;

import java.util.Arrays;
import java.util.Locale;
import mesh.web.Problem;

/** How the audit leaves Mesh. */
enum ExportFormat {
  /** For spreadsheets: a line of names, then a line for each entry. */
  CSV("text/csv; charset=utf-8"),
  /** For programs: an object for each entry, as the list has it, on a line of its own. */
  JSONL("application/jsonl; charset=utf-8");

  private final String contentType;

  ExportFormat(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws Problem 400 {@code format_unknown}
   */
  static ExportFormat named(String word) {
    return Arrays.stream(values())
        .filter(format -> format.word().equals(word))
        .findFirst()
        .orElseThrow(
            () -> Problem.badRequest("format_unknown", "Parameter format must be csv or jsonl."));
  }
}
