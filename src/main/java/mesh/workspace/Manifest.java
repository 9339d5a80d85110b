package mesh.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What lay in a sandbox's project directory: enough to tell, when it wakes, whether it is what was
 * left. Read from the lines of {@link SandboxScript#MANIFEST}, which come out of the sandbox and
 * prove nothing to anybody else.
 *
 * @param heads the commit of each git repository, by its folder
 * @param dirty what is not committed there, by folder and file
 * @param tools versions by name
 * @param files checksum and size by path; null if there were too many to list
 */
record Manifest(
    Map<String, String> heads,
    Map<String, String> dirty,
    Map<String, String> tools,
    @Nullable Map<String, String> files) {

  /** The script prints at most so much, or is not listened to. */
  static final int MAX_BYTES = 1 << 20;

  private static final int MOST_FILES = 2_000;
  private static final int MOST_NAMES = 5;
  private static final int NAME_LENGTH = 120;
  private static final JsonMapper JSON = new JsonMapper();

  Manifest {
    heads = Map.copyOf(heads);
    dirty = Map.copyOf(dirty);
    tools = Map.copyOf(tools);
    files = files == null ? null : Map.copyOf(files);
  }

  /** Of what the script printed, whole or cut off. */
  static Manifest read(String printed) {
    var heads = new TreeMap<String, String>();
    var dirty = new TreeMap<String, String>();
    var tools = new TreeMap<String, String>();
    var files = new TreeMap<String, String>();
    boolean whole = false;
    for (var line : printed.split("\n", -1)) {
      var fields = line.split("\t", 3);
      switch (fields[0]) {
        case "head" -> put(heads, fields);
        case "dirty" -> {
          if (fields.length == 3 && fields[2].length() > 3) {
            dirty.put(fields[1] + "/" + fields[2].substring(3), fields[2].substring(0, 2));
          }
        }
        case "tool" -> put(tools, fields);
        case "file" -> file(files, line.substring(5));
        case "whole" -> whole = true;
        default -> {
          // A name with a line break in it, or a tool that printed more than its version.
        }
      }
    }
    return new Manifest(heads, dirty, tools, whole && files.size() <= MOST_FILES ? files : null);
  }

  private static void put(Map<String, String> into, String[] fields) {
    if (fields.length == 3) {
      into.put(fields[1], fields[2]);
    }
  }

  /** As {@code cksum} prints it: checksum, size, path. */
  private static void file(Map<String, String> files, String line) {
    var fields = line.split(" ", 3);
    if (fields.length == 3) {
      files.put(fields[2], fields[0] + " " + fields[1]);
    }
  }

  String json() {
    var json = JSON.createObjectNode();
    json.set("heads", JSON.valueToTree(heads));
    json.set("dirty", JSON.valueToTree(dirty));
    json.set("tools", JSON.valueToTree(tools));
    json.set("files", JSON.valueToTree(files));
    return JSON.writeValueAsString(json);
  }

  static Manifest of(String json) {
    var node = JSON.readTree(json);
    return new Manifest(
        map(node.path("heads")),
        map(node.path("dirty")),
        map(node.path("tools")),
        node.path("files").isObject() ? map(node.path("files")) : null);
  }

  private static Map<String, String> map(JsonNode node) {
    var map = new TreeMap<String, String>();
    node.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue().asString("")));
    return map;
  }

  /**
   * In which ways a later look differs from this one, in words; null if both had too many files for
   * the comparison to say anything about them.
   */
  @Nullable List<String> differences(Manifest later) {
    var found = new ArrayList<String>();
    compare("the commit of", heads, later.heads, found, true);
    compare("uncommitted work in", dirty, later.dirty, found, false);
    compare("the version of", tools, later.tools, found, true);
    if (files != null && later.files != null) {
      compare("the file", files, later.files, found, false);
    } else if (files != null || later.files != null) {
      found.add("the number of files is not what it was");
    } else if (heads.isEmpty() && found.isEmpty()) {
      return null;
    }
    return found;
  }

  private static void compare(
      String what,
      Map<String, String> before,
      Map<String, String> after,
      List<String> found,
      boolean withValues) {
    var missing = new TreeSet<>(before.keySet());
    missing.removeAll(after.keySet());
    var added = new TreeSet<>(after.keySet());
    added.removeAll(before.keySet());
    var changed = new TreeSet<>(before.keySet());
    changed.removeIf(
        name -> !after.containsKey(name) || Objects.equals(before.get(name), after.get(name)));
    say(what, missing, "is missing", found);
    say(what, added, "is new", found);
    if (withValues) {
      for (var name : changed.stream().limit(MOST_NAMES).toList()) {
        found.add(
            "%s %s is %s and was %s"
                .formatted(what, cut(name), cut(after.get(name)), cut(before.get(name))));
      }
    } else {
      say(what, changed, "has changed", found);
    }
  }

  private static void say(String what, TreeSet<String> names, String how, List<String> found) {
    names.stream().limit(MOST_NAMES).forEach(name -> found.add(what + " " + cut(name) + " " + how));
    if (names.size() > MOST_NAMES) {
      found.add("and %d more of these".formatted(names.size() - MOST_NAMES));
    }
  }

  private static String cut(@Nullable String text) {
    var known = text == null ? "" : text;
    return known.length() <= NAME_LENGTH ? known : known.substring(0, NAME_LENGTH) + "…";
  }
}
