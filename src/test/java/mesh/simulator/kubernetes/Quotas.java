package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the quotas of a namespace leave, and the limits a namespace sets to one container. */
final class Quotas {

  private final Store store;

  Quotas(Store store) {
    this.store = store;
  }

  /**
   * Gives containers the limits that the namespace has for those without.
   *
   * @throws Refusal if a container's own are larger than is allowed
   */
  void limit(Key key, ObjectNode pod) {
    for (var range : store.list(ResourceType.LIMIT_RANGE, key.namespace()).objects()) {
      for (var limits : range.path("spec").path("limits")) {
        if (limits.path("type").asString("").equals("Container")) {
          for (var container : pod.path("spec").path("containers")) {
            limit(key, limits, ((ObjectNode) container).withObjectProperty("resources"));
          }
        }
      }
    }
  }

  private static void limit(Key key, JsonNode limits, ObjectNode resources) {
    var defaults = Map.of("limits", "default", "requests", "defaultRequest");
    defaults.forEach((field, source) -> {
      var own = resources.withObjectProperty(field);
      limits.path(source).properties().forEach(it -> own.putIfAbsent(it.getKey(), it.getValue()));
    });
    for (var max : limits.path("max").properties()) {
      var text = resources.path("limits").path(max.getKey()).asString("");
      if (!text.isEmpty()
          && Quantity.parse(text).isMoreThan(Quantity.parse(max.getValue().asString("")))) {
        throw Refusal.forbidden(
            key,
            "maximum %s usage per Container is %s, but limit is %s"
                .formatted(max.getKey(), max.getValue().asString(""), text));
      }
    }
  }

  /**
   * @throws Refusal if a quota does not leave enough for it
   */
  void check(Key key, ObjectNode object) {
    for (var quota : store.list(ResourceType.QUOTA, key.namespace()).objects()) {
      check(key, object, quota);
    }
  }

  private void check(Key key, ObjectNode object, ObjectNode quota) {
    var requested = new ArrayList<String>();
    var used = new ArrayList<String>();
    var limited = new ArrayList<String>();
    for (var hard : new TreeMap<>(Json.texts(quota.path("spec").path("hard"))).entrySet()) {
      var resource = hard.getKey();
      var wanted = usage(resource, key.type(), object);
      if (wanted.isEmpty()) {
        continue;
      }
      if (key.type().equals(ResourceType.POD) && mustSay(resource, object)) {
        throw Refusal.forbidden(
            key,
            "failed quota: %s: must specify %s for: %s"
                .formatted(name(quota), resource, containers(object)));
      }
      var before = usedOf(resource, key);
      if (before.plus(wanted.get()).isMoreThan(Quantity.parse(hard.getValue()))) {
        requested.add(resource + "=" + wanted.get());
        used.add(resource + "=" + before);
        limited.add(resource + "=" + hard.getValue());
      }
    }
    if (!requested.isEmpty()) {
      throw Refusal.forbidden(
          key,
          "exceeded quota: %s, requested: %s, used: %s, limited: %s"
              .formatted(
                  name(quota),
                  String.join(",", requested),
                  String.join(",", used),
                  String.join(",", limited)));
    }
  }

  private static String name(ObjectNode quota) {
    return Json.text(quota, "metadata.name");
  }

  private static String containers(ObjectNode pod) {
    var names = new ArrayList<String>();
    pod.path("spec").path("containers").forEach(it -> names.add(it.path("name").asString("")));
    return String.join(",", names);
  }

  private static boolean mustSay(String resource, ObjectNode pod) {
    return resource.matches("(requests\\.|limits\\.)?(cpu|memory)")
        && usage(resource, ResourceType.POD, pod).orElse(Quantity.ZERO).amount().signum() == 0;
  }

  private Quantity usedOf(String resource, Key key) {
    return store.list(key.type(), key.namespace()).objects().stream()
        .filter(it -> !Scheduler.hasFinished(it))
        .flatMap(it -> usage(resource, key.type(), it).stream())
        .reduce(Quantity.ZERO, Quantity::plus);
  }

  /** What one object uses of a resource; empty if such objects have nothing to do with it. */
  private static Optional<Quantity> usage(String resource, ResourceType type, ObjectNode object) {
    if (List.of(type.plural(), "count/" + type.qualified()).contains(resource)) {
      return Optional.of(Quantity.parse("1"));
    }
    var plain = resource.replaceFirst("^(limits|requests)\\.", "");
    if (type.equals(ResourceType.POD) && plain.matches("cpu|memory|ephemeral-storage")) {
      return Optional.of(
          resource.startsWith("limits.")
              ? Needs.limited(object, plain)
              : Needs.requested(object, plain));
    }
    if (type.equals(ResourceType.CLAIM) && resource.equals("requests.storage")) {
      var size = Json.text(object, "spec.resources.requests.storage");
      return Optional.of(size.isEmpty() ? Quantity.ZERO : Quantity.parse(size));
    }
    return Optional.empty();
  }
}
