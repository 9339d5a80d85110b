package mesh.web;

import java.util.List;

/** How large a body each address takes, in bytes. The first rule that fits counts. */
final class BodyLimits {

  private static final int KIB = 1024;
  private static final int MIB = 1024 * KIB;

  /** A file of 16 MiB as base64, with room for its JSON. */
  static final int FILE = 24 * MIB;

  private record Rule(String path, int limit) {
    boolean covers(String requested) {
      return requested.equals(path) || (path.endsWith("/") && requested.startsWith(path));
    }
  }

  private static final List<Rule> RULES =
      List.of(
          new Rule("/api/agent/tools/workspace_write_file", FILE),
          // The same tools, the file tool among them.
          new Rule("/mcp", FILE),
          new Rule("/sign-in", 16 * KIB),
          new Rule("/setup", 16 * KIB),
          new Rule("/", MIB));

  private BodyLimits() {}

  static int of(String path) {
    return RULES.stream().filter(rule -> rule.covers(path)).findFirst().orElseThrow().limit();
  }
}
