package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes to an object, as clients write them. */
final class Patch {

  /** What the elements of a list are merged by, where they are; other lists are replaced. */
  private static final Map<String, String> MERGE_KEYS =
      Map.of(
          "containers", "name",
          "initContainers", "name",
          "env", "name",
          "volumes", "name",
          "volumeMounts", "mountPath",
          "conditions", "type",
          "ownerReferences", "uid",
          "ports", "containerPort",
          "imagePullSecrets", "name");

  private Patch() {}

  static void apply(ObjectNode object, JsonNode patch, String contentType) {
    if (contentType.startsWith("application/json-patch+json")) {
      patch.forEach(operation -> operate(object, operation));
    } else {
      // Whoever applies says all it knows, so a list is merged by its keys as well.
      merge(object, patch, !contentType.startsWith("application/merge-patch+json"));
    }
  }

  static boolean isKnown(String contentType) {
    return contentType.startsWith("application/json-patch+json")
        || contentType.startsWith("application/merge-patch+json")
        || contentType.startsWith("application/strategic-merge-patch+json")
        || isApply(contentType);
  }

  static boolean isApply(String contentType) {
    return contentType.startsWith("application/apply-patch+yaml");
  }

  private static void merge(ObjectNode target, JsonNode patch, boolean strategic) {
    for (var entry : patch.properties()) {
      var name = entry.getKey();
      var value = entry.getValue();
      if (strategic && name.startsWith("$")) {
        continue;
      }
      if (value.isNull()) {
        target.remove(name);
      } else if (value.isObject()) {
        if (!(target.get(name) instanceof ObjectNode)) {
          target.putObject(name);
        }
        merge(target.withObjectProperty(name), value, strategic);
      } else if (strategic && value instanceof ArrayNode list && MERGE_KEYS.containsKey(name)) {
        merge(target.withArrayProperty(name), list, MERGE_KEYS.getOrDefault(name, ""));
      } else {
        target.set(name, value.deepCopy());
      }
    }
  }

  private static void merge(ArrayNode target, ArrayNode patch, String by) {
    for (var element : patch) {
      var key = element.path(by).asString("");
      var at = 0;
      while (at < target.size() && !target.get(at).path(by).asString("").equals(key)) {
        at++;
      }
      if (element.path("$patch").asString("").equals("delete")) {
        if (at < target.size()) {
          target.remove(at);
        }
      } else if (at < target.size() && target.get(at) instanceof ObjectNode known) {
        merge(known, element, true);
      } else {
        target.add(element.deepCopy());
      }
    }
  }

  private static void operate(ObjectNode object, JsonNode operation) {
    var path = new ArrayList<String>();
    for (var part : operation.path("path").asString("").split("/", -1)) {
      path.add(part.replace("~1", "/").replace("~0", "~"));
    }
    var last = path.removeLast();
    JsonNode parent = object;
    for (var part : path.stream().skip(1).toList()) {
      parent = parent instanceof ArrayNode list ? list.path(index(list, part)) : parent.path(part);
    }
    switch (operation.path("op").asString("")) {
      case "add" -> put(parent, last, operation.path("value"), true);
      case "replace" -> put(parent, last, operation.path("value"), false);
      case "remove" -> {
        if (parent instanceof ObjectNode fields && fields.has(last)) {
          fields.remove(last);
        } else if (parent instanceof ArrayNode list) {
          list.remove(index(list, last));
        } else {
          throw Refusal.badRequest("remove operation does not apply: doc is missing path");
        }
      }
      case "test" -> {
        if (!parent.path(last).equals(operation.path("value"))) {
          throw Refusal.of(422, "Invalid", "the server rejected our request: test failed");
        }
      }
      default -> throw Refusal.badRequest("a json patch is malformed or not simulated");
    }
  }

  private static void put(JsonNode parent, String name, JsonNode value, boolean insert) {
    if (parent instanceof ObjectNode fields) {
      fields.set(name, value.deepCopy());
    } else if (parent instanceof ArrayNode list) {
      var at = index(list, name);
      if (insert) {
        list.insert(at, value.deepCopy());
      } else {
        list.set(at, value.deepCopy());
      }
    } else {
      throw Refusal.badRequest("a json patch's path is missing");
    }
  }

  private static int index(ArrayNode list, String text) {
    return text.equals("-") ? list.size() : Integer.parseInt(text);
  }

  static List<String> keptWhenReplaced() {
    return List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds");
  }
}
