package mesh.inference;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Tools' names and calls' ids in letters that a service takes, each for one conversation and
 * without two that become the same. What is fine already stays as it is.
 */
final class Names {

  private static final Pattern OTHER = Pattern.compile("[^a-zA-Z0-9_-]");

  private final int longest;
  private final Map<String, String> outward = new HashMap<>();
  private final Map<String, String> inward = new HashMap<>();

  /**
   * @param longest characters; both vendors take 64 for tools' names
   */
  Names(int longest) {
    this.longest = longest;
  }

  String outward(String name) {
    var known = outward.get(name);
    if (known != null) {
      return known;
    }
    var plain = OTHER.matcher(name).replaceAll("_");
    plain = plain.isEmpty() ? "_" : plain.substring(0, Math.min(plain.length(), longest));
    var free = plain;
    for (int i = 2; inward.containsKey(free); i++) {
      var end = "_" + i;
      free = plain.substring(0, Math.min(plain.length(), longest - end.length())) + end;
    }
    outward.put(name, free);
    inward.put(free, name);
    return free;
  }

  /** The name that was given out, or what came if none was. */
  String inward(String name) {
    return inward.getOrDefault(name, name);
  }
}
