package mesh.simulator.kubernetes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the API tells about itself. */
final class Discovery {

  private static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

  private static final Map<String, String> SHORT_NAMES =
      Map.of(
          "pods", "po",
          "namespaces", "ns",
          "configmaps", "cm",
          "persistentvolumeclaims", "pvc",
          "networkpolicies", "netpol",
          "serviceaccounts", "sa",
          "resourcequotas", "quota",
          "services", "svc",
          "nodes", "no");

  private final Settings settings;

  Discovery(Settings settings) {
    this.settings = settings;
  }

  /** Whether the type's group is there at all. */
  boolean serves(ResourceType type) {
    return serves(type.group());
  }

  private boolean serves(String group) {
    return settings.snapshotsServed() || !group.equals(ResourceType.SNAPSHOT.group());
  }

  Optional<Map<String, ?>> answer(List<String> segments) {
    return switch (String.join("/", segments)) {
      case "version" -> Optional.of(version());
      case "api" ->
          Optional.of(Map.of("kind", "APIVersions", "apiVersion", "v1", "versions", List.of("v1")));
      case "api/v1" -> Optional.of(resources(""));
      case "apis" ->
          Optional.of(
              Map.of(
                  "kind",
                  "APIGroupList",
                  "apiVersion",
                  "v1",
                  "groups",
                  groups().map(Discovery::group).toList()));
      default ->
          segments.size() > 1 && segments.getFirst().equals("apis")
              ? below(segments.get(1), segments.size() == 2, segments)
              : Optional.empty();
    };
  }

  private Optional<Map<String, ?>> below(String group, boolean whole, List<String> segments) {
    if (groups().noneMatch(group::equals)) {
      return Optional.empty();
    }
    if (whole) {
      var answer = new LinkedHashMap<String, Object>(Map.of("kind", "APIGroup"));
      answer.put("apiVersion", "v1");
      answer.putAll(group(group));
      return Optional.of(answer);
    }
    return segments.size() == 3 && segments.get(2).equals(ResourceType.version(group))
        ? Optional.of(resources(group))
        : Optional.empty();
  }

  private Stream<String> groups() {
    return ResourceType.ALL.stream()
        .map(ResourceType::group)
        .filter(group -> !group.isEmpty() && serves(group))
        .distinct();
  }

  private static Map<String, Object> group(String name) {
    var number = ResourceType.version(name);
    var version = Map.of("groupVersion", name + "/" + number, "version", number);
    return Map.of("name", name, "versions", List.of(version), "preferredVersion", version);
  }

  private static Map<String, ?> resources(String group) {
    return Map.of(
        "kind",
        "APIResourceList",
        "apiVersion",
        "v1",
        "groupVersion",
        group.isEmpty() ? "v1" : group + "/" + ResourceType.version(group),
        "resources",
        ResourceType.ALL.stream()
            .filter(type -> type.group().equals(group))
            .flatMap(Discovery::entries)
            .toList());
  }

  private static Stream<Map<String, Object>> entries(ResourceType type) {
    var own = entry(type, type.plural(), type.kind(), VERBS);
    Optional.ofNullable(SHORT_NAMES.get(type.plural()))
        .ifPresent(it -> own.put("shortNames", List.of(it)));
    var below =
        type.subresources().stream()
            .map(it ->
                switch (it) {
                  case "exec" ->
                      entry(type, "pods/exec", "PodExecOptions", List.of("create", "get"));
                  case "log" -> entry(type, "pods/log", "Pod", List.of("get"));
                  case "eviction" -> entry(type, "pods/eviction", "Eviction", List.of("create"));
                  default ->
                      entry(
                          type,
                          type.plural() + "/" + it,
                          type.kind(),
                          List.of("get", "patch", "update"));
                });
    return Stream.concat(Stream.of(own), below);
  }

  private static Map<String, Object> entry(
      ResourceType type, String name, String kind, List<String> verbs) {
    var entry = new LinkedHashMap<String, Object>();
    entry.put("name", name);
    entry.put("singularName", name.contains("/") ? "" : kind.toLowerCase(Locale.ROOT));
    entry.put("namespaced", type.namespaced());
    entry.put("kind", kind);
    entry.put("verbs", verbs);
    return entry;
  }

  private static Map<String, ?> version() {
    return Map.of(
        "major", "1",
        "minor", "35",
        "gitVersion", "v1.35.0",
        "gitCommit", "simulated",
        "gitTreeState", "clean",
        "buildDate", "2026-01-01T00:00:00Z",
        "goVersion", "go1.25.0",
        "compiler", "gc",
        "platform", "linux/amd64");
  }
}
