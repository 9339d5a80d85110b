package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The Pod Security standard {@code restricted}, for namespaces that enforce it. */
final class PodSecurity {

  private static final String LABEL = "pod-security.kubernetes.io/enforce";

  private static final Set<String> VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");

  private final JsonNode spec;
  private final List<String> violations = new ArrayList<>();

  private PodSecurity(JsonNode spec) {
    this.spec = spec;
  }

  /**
   * @throws Refusal if the namespace is restricted and the pod is not
   */
  static void check(ObjectNode namespace, Key key, ObjectNode pod) {
    var level = namespace.path("metadata").path("labels").path(LABEL).asString("");
    if (level.equals("restricted")) {
      var violations = new PodSecurity(pod.path("spec")).violations();
      if (!violations.isEmpty()) {
        throw Refusal.forbidden(
            key, "violates PodSecurity \"restricted:latest\": " + String.join(", ", violations));
      }
    }
  }

  private List<String> violations() {
    for (var field : List.of("hostNetwork", "hostPID", "hostIPC")) {
      if (spec.path(field).asBoolean(false)) {
        violations.add("host namespaces (" + field + "=true)");
      }
    }
    each(
        "privileged (container \"%s\" must not set securityContext.privileged=true)",
        it -> it.path("privileged").asBoolean(false));
    each(
        "allowPrivilegeEscalation != false (container \"%s\" must set"
            + " securityContext.allowPrivilegeEscalation=false)",
        it -> it.path("allowPrivilegeEscalation").asBoolean(true));
    each(
        "unrestricted capabilities (container \"%s\" must set"
            + " securityContext.capabilities.drop=[\"ALL\"])",
        it ->
            it.path("capabilities")
                .path("drop")
                .valueStream()
                .noneMatch(name -> name.asString("").equals("ALL")));
    volumes();
    var ofPod = spec.path("securityContext");
    each(
        "runAsNonRoot != true (pod or container \"%s\" must set"
            + " securityContext.runAsNonRoot=true)",
        it -> !it.path("runAsNonRoot").asBoolean(ofPod.path("runAsNonRoot").asBoolean(false)));
    if (ofPod.path("runAsUser").asInt(1) == 0) {
      violations.add("runAsUser=0 (pod must not set runAsUser=0)");
    }
    each(
        "runAsUser=0 (container \"%s\" must not set runAsUser=0)",
        it -> it.path("runAsUser").asInt(1) == 0);
    var profile = Json.text(ofPod, "seccompProfile.type");
    each(
        "seccompProfile (pod or container \"%s\" must set securityContext.seccompProfile.type to"
            + " \"RuntimeDefault\" or \"Localhost\")",
        it -> {
          var own = Json.text(it, "seccompProfile.type");
          return !(own.isEmpty() ? profile : own).matches("RuntimeDefault|Localhost");
        });
    return violations;
  }

  private void volumes() {
    for (var volume : spec.path("volumes")) {
      for (var type : volume.propertyNames()) {
        if (!type.equals("name") && !VOLUMES.contains(type)) {
          violations.add(
              "restricted volume types (volume \"%s\" uses restricted volume type \"%s\")"
                  .formatted(volume.path("name").asString(""), type));
        }
      }
    }
  }

  private void each(String violation, Predicate<JsonNode> isViolatedBy) {
    for (var container : spec.path("containers")) {
      if (isViolatedBy.test(container.path("securityContext"))) {
        violations.add(violation.formatted(container.path("name").asString("")));
      }
    }
  }
}
