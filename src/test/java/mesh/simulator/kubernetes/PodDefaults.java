package mesh.simulator.kubernetes;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a pod is said to be where it says nothing itself. */
final class PodDefaults {

  private PodDefaults() {}

  static void fill(ObjectNode pod) {
    var spec = pod.withObjectProperty("spec");
    put(spec, "restartPolicy", "Always");
    put(spec, "dnsPolicy", "ClusterFirst");
    put(spec, "schedulerName", "default-scheduler");
    put(spec, "enableServiceLinks", true);
    put(spec, "terminationGracePeriodSeconds", 30);
    put(spec, "serviceAccountName", "default");
    put(spec, "serviceAccount", spec.path("serviceAccountName").asString(""));
    put(spec, "priority", 0);
    put(spec, "preemptionPolicy", "PreemptLowerPriority");
    spec.withObjectProperty("securityContext");
    var tolerations = spec.withArrayProperty("tolerations");
    tolerate(tolerations, "node.kubernetes.io/not-ready");
    tolerate(tolerations, "node.kubernetes.io/unreachable");
    for (var container : spec.path("containers")) {
      fillContainer((ObjectNode) container);
    }
    var status = pod.putObject("status");
    status.put("phase", "Pending");
    status.put("qosClass", qualityOf(spec));
  }

  private static void fillContainer(ObjectNode container) {
    var image = container.path("image").asString("");
    put(container, "terminationMessagePath", "/dev/termination-log");
    put(container, "terminationMessagePolicy", "File");
    put(
        container,
        "imagePullPolicy",
        !image.contains(":") || image.endsWith(":latest") ? "Always" : "IfNotPresent");
    var resources = container.withObjectProperty("resources");
    if (resources.has("limits")) {
      var requests = resources.withObjectProperty("requests");
      resources
          .path("limits")
          .properties()
          .forEach(it -> requests.putIfAbsent(it.getKey(), it.getValue()));
    }
  }

  private static void tolerate(ArrayNode tolerations, String taint) {
    if (tolerations.valueStream().noneMatch(it -> it.path("key").asString("").equals(taint))) {
      tolerations.add(
          Json.object(
              Map.of(
                  "key",
                  taint,
                  "operator",
                  "Exists",
                  "effect",
                  "NoExecute",
                  "tolerationSeconds",
                  300)));
    }
  }

  private static String qualityOf(JsonNode spec) {
    var guaranteed = true;
    var any = false;
    for (var container : spec.path("containers")) {
      var resources = container.path("resources");
      any |= !resources.path("requests").isEmpty() || !resources.path("limits").isEmpty();
      guaranteed &=
          resources.path("limits").has("cpu")
              && resources.path("limits").has("memory")
              && resources.path("limits").equals(resources.path("requests"));
    }
    return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
  }

  private static void put(ObjectNode object, String field, Object value) {
    if (!object.has(field)) {
      object.setAll(Json.object(Map.of(field, value)));
    }
  }
}
