package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Which objects a call is about, by their labels and fields. */
final class Selector {

  private static final Pattern SET = Pattern.compile("(\\S+)\\s+(in|notin)\\s+\\(([^)]*)\\)");
  private static final Pattern EQUALITY = Pattern.compile("([^=!\\s]+)\\s*(==|=|!=)\\s*(\\S*)");
  private static final Pattern EXISTENCE = Pattern.compile("(!?)\\s*([^=!\\s(),]+)");

  private final List<Predicate<Map<String, String>>> labels = new ArrayList<>();
  private final List<Predicate<JsonNode>> fields = new ArrayList<>();

  /**
   * @throws Refusal if one of them cannot be read
   */
  static Selector of(String labelSelector, String fieldSelector) {
    var selector = new Selector();
    // A comma inside parentheses separates values.
    for (var part : labelSelector.split(",(?![^(]*\\))", -1)) {
      if (!part.isBlank()) {
        selector.labels.add(label(part.strip()));
      }
    }
    for (var part : fieldSelector.split(",", -1)) {
      if (!part.isBlank()) {
        selector.fields.add(field(part.strip()));
      }
    }
    return selector;
  }

  /** As objects carry a selector: {@code matchLabels} and {@code matchExpressions}. */
  static boolean matches(JsonNode selector, JsonNode object) {
    var labels = labelsOf(object);
    return selector.path("matchLabels").properties().stream()
            .allMatch(it -> it.getValue().asString("").equals(labels.get(it.getKey())))
        && selector.path("matchExpressions").valueStream().allMatch(it -> matches(it, labels));
  }

  private static boolean matches(JsonNode expression, Map<String, String> labels) {
    var value = labels.get(expression.path("key").asString(""));
    var values = expression.path("values").valueStream().map(it -> it.asString("")).toList();
    return switch (expression.path("operator").asString("")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }

  boolean matches(JsonNode object) {
    var own = labelsOf(object);
    return labels.stream().allMatch(it -> it.test(own))
        && fields.stream().allMatch(it -> it.test(object));
  }

  private static Map<String, String> labelsOf(JsonNode object) {
    return Json.texts(object.path("metadata").path("labels"));
  }

  private static Predicate<Map<String, String>> label(String requirement) {
    var set = SET.matcher(requirement);
    if (set.matches()) {
      var key = set.group(1);
      var values = Arrays.stream(set.group(3).split(",", -1)).map(String::strip).toList();
      return set.group(2).equals("in")
          ? labels -> labels.containsKey(key) && values.contains(labels.get(key))
          : labels -> !values.contains(labels.get(key));
    }
    var equality = EQUALITY.matcher(requirement);
    if (equality.matches()) {
      var key = equality.group(1);
      var value = equality.group(3);
      return equality.group(2).equals("!=")
          ? labels -> !value.equals(labels.get(key))
          : labels -> value.equals(labels.get(key));
    }
    var existence = EXISTENCE.matcher(requirement);
    if (existence.matches()) {
      var wanted = existence.group(1).isEmpty();
      var key = existence.group(2);
      return labels -> labels.containsKey(key) == wanted;
    }
    throw Refusal.badRequest("unable to parse requirement: " + requirement);
  }

  private static Predicate<JsonNode> field(String requirement) {
    var equality = EQUALITY.matcher(requirement);
    if (!equality.matches()) {
      throw Refusal.badRequest("invalid field selector: " + requirement);
    }
    var wanted = !equality.group(2).equals("!=");
    var path = equality.group(1);
    var value = equality.group(3);
    return object -> Json.text(object, path).equals(value) == wanted;
  }
}
