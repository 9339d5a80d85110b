package mesh.dashboard;

import java.util.Locale;

/** How well a runtime restricts, in words. */
final class EgressWords {

  private EgressWords() {}

  /**
   * What enforces a limit of this grade.
   *
   * @param grade as the catalog has it
   */
  static String grade(String grade) {
    return switch (grade) {
      case "dns" -> "DNS";
      case "sni" -> "TLS name";
      case "l7" -> "request host";
      case "kernel" -> "packet filter";
      default -> grade.toUpperCase(Locale.ROOT);
    };
  }
}
