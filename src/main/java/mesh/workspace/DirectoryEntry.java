package mesh.workspace;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One entry of a directory.
 *
 * @param mode as {@code st_mode} has it, with the type
 * @param size in bytes
 */
record DirectoryEntry(String path, int mode, long size) {

  private static final int TYPE = 0170000;

  /** What the listing script printed; what it could not finish is left out. */
  static List<DirectoryEntry> read(String printed) {
    var fields = printed.split("\0", -1);
    var entries = new ArrayList<DirectoryEntry>();
    var names = new ArrayList<String>();
    // The last field is what follows the last NUL: nothing, or a part.
    for (int i = 0; i < fields.length - 1; i++) {
      if (!fields[i].isEmpty()) {
        names.add(fields[i]);
      } else if (i + 1 < fields.length - 1) {
        add(names, fields[++i].split("\n", -1), entries);
        names.clear();
      }
    }
    return entries;
  }

  private static void add(List<String> names, String[] facts, List<DirectoryEntry> entries) {
    for (int i = 0; i < Math.min(names.size(), facts.length); i++) {
      var fact = facts[i].split(" ", -1);
      // One that went meanwhile has none.
      if (fact.length == 2) {
        var path = names.get(i).startsWith("./") ? names.get(i).substring(2) : names.get(i);
        entries.add(
            new DirectoryEntry(path, Integer.parseInt(fact[0], 16), Long.parseLong(fact[1])));
      }
    }
  }

  String type() {
    return switch (mode & TYPE) {
      case 0100000 -> "file";
      case 0040000 -> "directory";
      case 0120000 -> "link";
      default -> "other";
    };
  }

  /**
   * @param name instead of its path
   */
  ObjectNode json(String name) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("path", name)
        .put("type", type())
        .put("size", size)
        .put("mode", "%04o".formatted(mode & 07777));
  }
}
