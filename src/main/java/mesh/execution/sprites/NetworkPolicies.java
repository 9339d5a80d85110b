package mesh.execution.sprites;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import mesh.execution.BackendException;
import mesh.execution.EgressPolicy;
import mesh.execution.remote.Patience;
import okhttp3.HttpUrl;
import tools.jackson.databind.json.JsonMapper;

/**
 * Sprites' own network policy: a list of names that a sprite's resolver answers, and whose
 * addresses its packet filter lets through.
 */
final class NetworkPolicies {

  private static final JsonMapper JSON = new JsonMapper();

  private final Account account;
  private final Rest rest;
  private final Patience patience;

  NetworkPolicies(Account account, Rest rest, Patience patience) {
    this.account = account;
    this.rest = rest;
    this.patience = patience;
  }

  /**
   * Sets a sprite's policy and sees that it is set. May be done again.
   *
   * @throws BackendException.Rejected if the vendor does not take it, or does not keep it
   */
  void set(String name, EgressPolicy policy) throws InterruptedException {
    var url = account.sprite(name).addPathSegments("policy/network").build();
    var rules = rules(policy);
    patience.retrying(() -> {
      var answer = rest.post(url, JSON.writeValueAsString(Map.of("rules", rules)));
      if (!answer.isSuccess()) {
        throw answer.status() == 404 ? SpritesApi.gone(name) : answer.refusal(account);
      }
      return true;
    });
    if (!patience.retrying(() -> read(url)).equals(rules)) {
      throw new BackendException.Rejected(
          "Fly Sprites took a network policy for the sprite %s and did not keep it".formatted(name),
          null);
    }
  }

  /**
   * Ends with a rule that denies: where no rule is left the vendor lets everything through, so a
   * list that allows nothing must still say something.
   */
  private static List<Map<String, String>> rules(EgressPolicy policy) {
    List<Map<String, String>> rules = new ArrayList<>();
    new TreeSet<>(policy.domains()).forEach(domain -> rules.add(rule(domain, "allow")));
    rules.add(rule("*", "deny"));
    return rules;
  }

  private static Map<String, String> rule(String domain, String action) {
    Map<String, String> rule = new LinkedHashMap<>();
    rule.put("domain", domain);
    rule.put("action", action);
    return rule;
  }

  private List<Map<String, String>> read(HttpUrl url) throws InterruptedException {
    var answer = rest.get(url);
    if (!answer.isSuccess()) {
      throw answer.refusal(account);
    }
    List<Map<String, String>> rules = new ArrayList<>();
    for (var told : answer.json().path("rules")) {
      Map<String, String> rule = new LinkedHashMap<>();
      told.properties().forEach(part -> rule.put(part.getKey(), part.getValue().asString("")));
      rules.add(rule);
    }
    return rules;
  }
}
