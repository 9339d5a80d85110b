package mesh.simulator.kubernetes;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/** Decides whether an object may come into being, and completes it. */
final class Admission {

  private static final String NAME =
      "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

  private final Store store;
  private final Quotas quotas;

  Admission(Store store) {
    this.store = store;
    this.quotas = new Quotas(store);
  }

  /**
   * @throws Refusal if it may not
   */
  void admit(Key key, ObjectNode object) {
    if (!key.name().matches(NAME) || key.name().length() > 253) {
      throw Refusal.invalid(
          key,
          "metadata.name: Invalid value: \""
              + key.name()
              + "\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
              + " characters, '-' or '.', and must start and end with an alphanumeric character");
    }
    if (key.type().namespaced()) {
      var namespace = namespace(key);
      if (namespace.path("metadata").has("deletionTimestamp")) {
        throw Refusal.forbidden(
            key,
            "unable to create new content in namespace "
                + key.namespace()
                + " because it is being terminated");
      }
      if (key.type().equals(ResourceType.POD)) {
        admitPod(namespace, key, object);
      } else if (key.type().equals(ResourceType.CLAIM)) {
        admitClaim(object);
      }
      quotas.check(key, object);
    } else if (key.type().equals(ResourceType.NAMESPACE)) {
      object.putObject("status").put("phase", "Active");
      Json.metadata(object)
          .withObjectProperty("labels")
          .put("kubernetes.io/metadata.name", key.name());
    }
  }

  private ObjectNode namespace(Key key) {
    return store.get(new Key(ResourceType.NAMESPACE, "", key.namespace()));
  }

  private void admitPod(ObjectNode namespace, Key key, ObjectNode pod) {
    validate(key, pod);
    quotas.limit(key, pod);
    PodDefaults.fill(pod);
    var spec = pod.path("spec");
    var account = spec.path("serviceAccountName").asString("");
    if (store.find(new Key(ResourceType.SERVICE_ACCOUNT, key.namespace(), account)).isEmpty()) {
      throw Refusal.forbidden(
          key,
          "error looking up service account %s/%s: serviceaccount \"%s\" not found"
              .formatted(key.namespace(), account, account));
    }
    var runtime = spec.path("runtimeClassName").asString("");
    if (!runtime.isEmpty()
        && store.find(new Key(ResourceType.RUNTIME_CLASS, "", runtime)).isEmpty()) {
      throw Refusal.forbidden(key, "pod rejected: RuntimeClass \"" + runtime + "\" not found");
    }
    var priority = spec.path("priorityClassName").asString("");
    if (!priority.isEmpty()
        && store.find(new Key(ResourceType.PRIORITY_CLASS, "", priority)).isEmpty()) {
      throw Refusal.forbidden(key, "no PriorityClass with name " + priority + " was found");
    }
    PodSecurity.check(namespace, key, pod);
  }

  private static void validate(Key key, ObjectNode pod) {
    var containers = pod.path("spec").path("containers");
    if (containers.isEmpty()) {
      throw Refusal.invalid(key, "spec.containers: Required value");
    }
    if (!pod.path("spec").path("initContainers").isEmpty()) {
      throw Refusal.badRequest("init containers are not simulated");
    }
    for (var at = 0; at < containers.size(); at++) {
      for (var field : List.of("name", "image")) {
        if (containers.get(at).path(field).asString("").isEmpty()) {
          throw Refusal.invalid(key, "spec.containers[" + at + "]." + field + ": Required value");
        }
      }
      for (var mount : containers.get(at).path("volumeMounts")) {
        var name = mount.path("name").asString("");
        if (pod.path("spec")
            .path("volumes")
            .valueStream()
            .noneMatch(it -> it.path("name").asString("").equals(name))) {
          throw Refusal.invalid(
              key, "spec.containers[" + at + "].volumeMounts[0].name: Not found: \"" + name + "\"");
        }
      }
    }
  }

  private void admitClaim(ObjectNode claim) {
    var spec = claim.withObjectProperty("spec");
    if (!spec.has("storageClassName")) {
      store.list(ResourceType.STORAGE_CLASS, "").objects().stream()
          .filter(it ->
              it.path("metadata")
                  .path("annotations")
                  .path("storageclass.kubernetes.io/is-default-class")
                  .asString("")
                  .equals("true"))
          .findFirst()
          .ifPresent(it -> spec.put("storageClassName", Json.text(it, "metadata.name")));
    }
    spec.putIfAbsent("volumeMode", Json.object(Map.of("it", "Filesystem")).path("it"));
    claim.putObject("status").put("phase", "Pending");
  }
}
