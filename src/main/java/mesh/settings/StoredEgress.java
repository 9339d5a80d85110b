package mesh.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads and writes the stored form of a policy. Strict: what is not understood is no policy. */
final class StoredEgress {

  private static final JsonMapper JSON = new JsonMapper();

  private StoredEgress() {}

  static String write(EgressSetting setting) {
    return JSON.writeValueAsString(told(setting));
  }

  /** The same as a value, for the audit. */
  static Map<String, Object> told(EgressSetting setting) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("mode", word(setting.mode()));
    told.put("domains", setting.domains());
    told.put("uncontrolled", word(setting.uncontrolled()));
    return told;
  }

  /**
   * A policy without a mode is from a time that knew only allowlists, and stays one.
   *
   * @throws EgressUnreadable if it is anything but a whole policy
   */
  static EgressSetting read(String stored) {
    JsonNode json;
    try {
      json = JSON.readTree(stored);
    } catch (JacksonException garbage) {
      // Without the cause, which quotes what is stored.
      throw unreadable("it is not JSON");
    }
    if (!json.isObject()) {
      throw unreadable("it is not an object");
    }
    return new EgressSetting(mode(json), domains(json), uncontrolled(json));
  }

  private static EgressMode mode(JsonNode json) {
    return switch (json.path("mode")) {
      case JsonNode none when none.isMissingNode() -> EgressMode.ALLOWLIST;
      case JsonNode open when open.asString("").equals("open") -> EgressMode.OPEN;
      case JsonNode list when list.asString("").equals("allowlist") -> EgressMode.ALLOWLIST;
      default -> throw unreadable("its mode is neither open nor allowlist");
    };
  }

  private static Uncontrolled uncontrolled(JsonNode json) {
    return switch (json.path("uncontrolled")) {
      case JsonNode none when none.isMissingNode() -> Uncontrolled.REFUSE;
      case JsonNode refuse when refuse.asString("").equals("refuse") -> Uncontrolled.REFUSE;
      case JsonNode allow when allow.asString("").equals("allow") -> Uncontrolled.ALLOW;
      default ->
          throw unreadable("what it says of runtimes without control is neither refuse nor allow");
    };
  }

  private static List<String> domains(JsonNode json) {
    JsonNode given = json.path("domains");
    if (given.isMissingNode() && json.path("mode").asString("").equals("open")) {
      return List.of();
    }
    if (!given.isArray()) {
      throw unreadable("its domains are not a list");
    }
    List<String> domains = new ArrayList<>();
    for (JsonNode entry : given) {
      if (!entry.isString()
          || !(EgressDomain.of(entry.stringValue()) instanceof EgressDomain.Valid(var domain))) {
        throw unreadable("one of its domains is not a host name");
      }
      domains.add(domain);
    }
    return domains.stream().sorted().distinct().toList();
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static EgressUnreadable unreadable(String why) {
    return new EgressUnreadable(
        "The stored policy for workspace network access cannot be read (%s), so no workspace is made: an administrator must save it anew under Settings, Workspace network access."
            .formatted(why));
  }
}
