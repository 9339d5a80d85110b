package mesh.workspace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import mesh.execution.EgressPolicy;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where the code of one workspace may connect. Settled when its sandbox is first asked for, and
 * kept in its row: whatever follows, a retry, a replacement, a wake or another run, goes by that.
 */
sealed interface Egress {

  /**
   * Anywhere.
   *
   * @param uncontrolled whether that is so only because its runtime cannot keep the allowlist that
   *     was set, and operators allow that
   */
  record Open(boolean uncontrolled) implements Egress {}

  /**
   * Only to these hosts.
   *
   * @param grade how well the runtime keeps it, as its catalog entry says
   */
  record Allowlist(Set<String> domains, String grade) implements Egress {
    public Allowlist {
      domains = Set.copyOf(domains);
    }

    EgressPolicy policy() {
      return new EgressPolicy(domains);
    }
  }

  JsonMapper JSON = new JsonMapper();

  /** As rows, answers and pages have it. */
  default String json() {
    Map<String, Object> told = new LinkedHashMap<>();
    switch (this) {
      case Open(boolean uncontrolled) -> {
        told.put("mode", "open");
        if (uncontrolled) {
          told.put("uncontrolled", true);
        }
      }
      case Allowlist(var domains, var grade) -> {
        told.put("mode", "allowlist");
        told.put("domains", new TreeSet<>(domains));
        told.put("grade", grade);
      }
    }
    return JSON.writeValueAsString(told);
  }

  /**
   * @throws Malformed if it is anything but what {@link #json} wrote: to guess would be to widen
   *     access
   */
  static Egress of(String json) {
    JsonNode told;
    try {
      told = JSON.readTree(json);
    } catch (JacksonException garbage) {
      throw new Malformed();
    }
    return switch (told.path("mode").asString("")) {
      case "open" -> new Open(told.path("uncontrolled").asBoolean(false));
      case "allowlist" -> new Allowlist(domains(told), told.path("grade").asString(""));
      default -> throw new Malformed();
    };
  }

  private static Set<String> domains(JsonNode told) {
    if (!told.path("domains").isArray()) {
      throw new Malformed();
    }
    List<String> domains = new ArrayList<>();
    for (var domain : told.path("domains")) {
      if (!domain.isString()) {
        throw new Malformed();
      }
      domains.add(domain.stringValue());
    }
    return Set.copyOf(domains);
  }

  /** A row holds what is no policy. */
  final class Malformed extends RuntimeException {
    Malformed() {
      super("the workspace's own policy for network access cannot be read", null, false, false);
    }
  }
}
