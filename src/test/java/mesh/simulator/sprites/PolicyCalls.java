package mesh.simulator.sprites;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.simulator.http.Response;
import tools.jackson.databind.JsonNode;

/** The network policy: validated as strictly as the vendor does, kept, but not enforced here. */
final class PolicyCalls {

  private PolicyCalls() {}

  static Response read(Sprite sprite) {
    return Json.answer(200, Map.of("rules", sprite.policy()));
  }

  static Response write(Sprite sprite, byte[] body) {
    var rules = Json.object(body).flatMap(PolicyCalls::rules);
    if (rules.isEmpty()) {
      return Response.text(400, "invalid policy config\n");
    }
    sprite.policy(rules.get());
    return Response.empty(204);
  }

  private static Optional<List<Map<String, String>>> rules(JsonNode json) {
    var rules = json.path("rules");
    if (!rules.isArray()
        || json.size() != 1
        || !rules.valueStream().allMatch(PolicyCalls::isValid)) {
      return Optional.empty();
    }
    return Optional.of(rules.valueStream().map(PolicyCalls::rule).toList());
  }

  private static boolean isValid(JsonNode rule) {
    var names = Set.copyOf(rule.propertyNames());
    if (!rule.isObject() || !rule.valueStream().allMatch(JsonNode::isString)) {
      return false;
    }
    if (names.equals(Set.of("include"))) {
      return rule.path("include").asString().equals("defaults");
    }
    return names.equals(Set.of("domain", "action"))
        && !rule.path("domain").asString().isBlank()
        && Set.of("allow", "deny").contains(rule.path("action").asString());
  }

  private static Map<String, String> rule(JsonNode json) {
    var rule = new LinkedHashMap<String, String>();
    json.properties().forEach(entry -> rule.put(entry.getKey(), entry.getValue().asString()));
    return rule;
  }
}
