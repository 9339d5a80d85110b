package mesh.dashboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.ActivityPage.Change;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What differs between two JSON values, by the path of each part; what stayed is left out. */
final class Differences {

  private static final int CHARACTERS = 160;
  private static final JsonMapper JSON = JsonMapper.shared();

  private Differences() {}

  /**
   * @param before JSON; null for nothing, as with after
   */
  static List<Change> of(@Nullable String before, @Nullable String after) {
    Map<String, String> old = parts(before);
    Map<String, String> now = parts(after);
    Set<String> paths = new LinkedHashSet<>(old.keySet());
    paths.addAll(now.keySet());
    List<Change> changes = new ArrayList<>();
    for (String path : paths) {
      String was = old.getOrDefault(path, "");
      String is = now.getOrDefault(path, "");
      if (!was.equals(is)) {
        changes.add(new Change(VisibleText.firstLine(path, CHARACTERS), shown(was), shown(is)));
      }
    }
    return changes;
  }

  private static Map<String, String> parts(@Nullable String json) {
    Map<String, String> parts = new LinkedHashMap<>();
    if (json != null) {
      collect("", JSON.readTree(json), parts);
    }
    return parts;
  }

  private static void collect(String path, JsonNode node, Map<String, String> parts) {
    if (node.isObject() && !node.isEmpty()) {
      node.propertyStream()
          .forEach(it ->
              collect(
                  path.isEmpty() ? it.getKey() : path + "." + it.getKey(), it.getValue(), parts));
      return;
    }
    // Never empty: an empty text keeps its quotes.
    String text = node.isString() ? node.stringValue() : "";
    parts.put(path, text.isEmpty() ? node.toString() : text);
  }

  private static String shown(String value) {
    String line = VisibleText.line(value);
    return line.codePointCount(0, line.length()) <= CHARACTERS
        ? line
        : line.substring(0, line.offsetByCodePoints(0, CHARACTERS - 1)) + "…";
  }
}
