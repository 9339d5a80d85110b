package mesh.simulator.kubernetes;

import java.util.List;
import java.util.Optional;

/**
 * What a path names.
 *
 * @param namespace empty for all of them, or for what is in none
 * @param name empty for all of the type
 * @param subresource empty for the object itself
 */
record Target(ResourceType type, String namespace, String name, String subresource) {

  /** Empty if no resource of this API has such a path. */
  static Optional<Target> of(List<String> segments) {
    if (segments.size() >= 3 && segments.subList(0, 2).equals(List.of("api", "v1"))) {
      return below("", segments.subList(2, segments.size()));
    }
    if (segments.size() >= 4
        && segments.get(0).equals("apis")
        && segments.get(2).equals(ResourceType.version(segments.get(1)))) {
      return below(segments.get(1), segments.subList(3, segments.size()));
    }
    return Optional.empty();
  }

  private static Optional<Target> below(String group, List<String> rest) {
    var namespaced = rest.getFirst().equals("namespaces") && rest.size() > 2;
    // The status of a namespace is no resource in it.
    if (namespaced && !rest.get(2).matches("status|finalize")) {
      return plain(group, true, rest.get(1), rest.subList(2, rest.size()));
    }
    return plain(group, false, "", rest);
  }

  private static Optional<Target> plain(
      String group, boolean inNamespace, String namespace, List<String> rest) {
    if (rest.size() > 3) {
      return Optional.empty();
    }
    return ResourceType.ALL.stream()
        .filter(type -> type.group().equals(group) && type.plural().equals(rest.getFirst()))
        .filter(type -> inNamespace ? type.namespaced() : !type.namespaced() || rest.size() == 1)
        .findFirst()
        .map(type ->
            new Target(
                type,
                namespace,
                rest.size() > 1 ? rest.get(1) : "",
                rest.size() > 2 ? rest.get(2) : ""));
  }

  Key key() {
    return new Key(type, namespace, name);
  }

  String resource() {
    return subresource.isEmpty() ? type.plural() : type.plural() + "/" + subresource;
  }
}
