package mesh.dashboard;

import java.util.Locale;
import mesh.dashboard.view.Spoken;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How well a runtime restricts, in words. */
final class EgressWords {

  private EgressWords() {}

  /**
   * Where a workspace's code may connect, in a few words; empty while nothing is settled.
   *
   * @param egress as its row has it
   */
  static String of(@Nullable JsonNode egress) {
    if (egress == null || egress.isNull()) {
      return "";
    }
    if (!egress.path("mode").asString("").equals("open")) {
      return Spoken.count(egress.path("domains").size(), "host", "hosts") + " allowed";
    }
    return egress.path("uncontrolled").asBoolean(false)
        ? "network open: cannot be restricted"
        : "network open";
  }

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
