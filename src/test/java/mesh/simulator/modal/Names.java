package mesh.simulator.modal;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import modal.client.SandboxTag;

/** What names and tags may look like. */
final class Names {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final Pattern APP_ID = Pattern.compile("ap-[A-Za-z0-9]{22}");
  private static final Pattern TAG = Pattern.compile("[A-Za-z0-9._-]{1,63}");

  private Names() {}

  static void check(String what, String name) {
    if (!NAME.matcher(name).matches() || APP_ID.matcher(name).matches()) {
      throw Refusal.invalid("Invalid " + what + " name: '" + name + "'");
    }
  }

  /** Checked as the vendor's client checks those of applications. */
  static Map<String, String> tags(Collection<SandboxTag> tags) {
    var map = new LinkedHashMap<String, String>();
    for (var tag : tags) {
      if (!TAG.matcher(tag.getTagName()).matches() || !TAG.matcher(tag.getTagValue()).matches()) {
        throw Refusal.invalid("Invalid tag: " + tag.getTagName() + "=" + tag.getTagValue());
      }
      map.put(tag.getTagName(), tag.getTagValue());
    }
    return map;
  }

  static List<SandboxTag> tags(Map<String, String> tags) {
    return tags.entrySet().stream()
        .map(it ->
            SandboxTag.newBuilder().setTagName(it.getKey()).setTagValue(it.getValue()).build())
        .toList();
  }
}
