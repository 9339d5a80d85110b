package mesh.simulator.kubernetes;

import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls that bring objects into being and change them. */
final class Writes {

  private final Store store;
  private final Admission admission;
  private final Controllers controllers;
  private final Deletions deletions;

  Writes(Store store, Controllers controllers, Deletions deletions) {
    this.store = store;
    this.admission = new Admission(store);
    this.controllers = controllers;
    this.deletions = deletions;
  }

  ObjectNode create(Target target, ObjectNode object, boolean dryRun) {
    var type = target.type();
    complete(type, object);
    var metadata = Json.metadata(object);
    if (type.namespaced()) {
      if (!metadata.path("namespace").asString(target.namespace()).equals(target.namespace())) {
        throw Refusal.badRequest(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
      }
      metadata.put("namespace", target.namespace());
    }
    if (metadata.path("name").asString("").isEmpty()) {
      var prefix = metadata.path("generateName").asString("");
      if (prefix.isEmpty()) {
        throw Refusal.invalid(
            Key.of(type, object),
            "metadata.name: Required value: name or generateName is required");
      }
      metadata.put("name", prefix + UUID.randomUUID().toString().substring(0, 5));
    }
    if (!metadata.path("resourceVersion").asString("").isEmpty()) {
      throw Refusal.badRequest("resourceVersion should not be set on objects to be created");
    }
    metadata.remove("deletionTimestamp");
    object.remove("status");
    Store.identify(object, store.now());
    var key = Key.of(type, object);
    // Two that come at once must not both be counted as the last that a quota allows.
    synchronized (this) {
      admission.admit(key, object);
      if (dryRun) {
        store
            .find(key)
            .ifPresent(_ -> {
              throw Refusal.alreadyExists(key);
            });
        return object;
      }
      store.create(key, object);
    }
    controllers.created(key, object);
    if (type.equals(ResourceType.POD)) {
      for (var claim : PodVolumes.ephemeralClaims(object)) {
        create(new Target(ResourceType.CLAIM, key.namespace(), "", ""), claim, false);
      }
    }
    return object;
  }

  private static void complete(ResourceType type, ObjectNode object) {
    var kind = object.path("kind").asString(type.kind());
    if (!kind.equals(type.kind())
        || !object.path("apiVersion").asString(type.apiVersion()).equals(type.apiVersion())) {
      throw Refusal.badRequest(
          "%s in version \"v1\" cannot be handled as a %s: no kind match"
              .formatted(kind, type.kind()));
    }
    object.put("kind", type.kind());
    object.put("apiVersion", type.apiVersion());
  }

  ObjectNode replace(Target target, ObjectNode object, boolean dryRun) {
    complete(target.type(), object);
    return change(target, object, dryRun);
  }

  ObjectNode patch(Target target, JsonNode patch, String contentType, boolean dryRun) {
    if (!Patch.isKnown(contentType)) {
      throw Refusal.unsupportedMedia(contentType);
    }
    var key = target.key();
    while (true) {
      var before = store.find(key);
      if (before.isEmpty() && Patch.isApply(contentType) && target.subresource().isEmpty()) {
        var object = (ObjectNode) patch.deepCopy();
        Json.metadata(object).put("name", key.name());
        return create(target, object, dryRun);
      }
      var after = store.get(key).deepCopy();
      Patch.apply(after, patch, contentType);
      try {
        return change(target, after, dryRun);
      } catch (Refusal e) {
        // Of a patch that names no version, only its own reading can be out of date.
        var named = patch.path("metadata").has("resourceVersion");
        if (named || store.find(key).equals(before)) {
          throw e;
        }
      }
    }
  }

  private ObjectNode change(Target target, ObjectNode wanted, boolean dryRun) {
    var key = target.key();
    var known = store.get(key);
    check(key, known, wanted);
    if (dryRun) {
      return wanted;
    }
    var changed =
        store.update(
            key,
            it -> {
              check(key, it, wanted);
              write(target, it, wanted);
            });
    deletions.reconsider(key);
    return changed;
  }

  private static void check(Key key, ObjectNode known, ObjectNode wanted) {
    var version = Json.text(wanted, "metadata.resourceVersion");
    if (!version.isEmpty() && !version.equals(Json.text(known, "metadata.resourceVersion"))) {
      throw Refusal.conflict(
          key,
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    var uid = Json.text(wanted, "metadata.uid");
    if (!uid.isEmpty() && !uid.equals(Json.text(known, "metadata.uid"))) {
      throw Refusal.conflict(
          key,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, Json.text(known, "metadata.uid")));
    }
    if (!Json.text(wanted, "metadata.name").matches("|" + Pattern.quote(key.name()))) {
      throw Refusal.badRequest("the name of the object does not match the name on the URL");
    }
    if (key.type().equals(ResourceType.POD)) {
      checkPod(key, known, wanted);
    }
  }

  /** Almost nothing of a pod may be changed. */
  private static void checkPod(Key key, ObjectNode known, ObjectNode wanted) {
    var before = known.path("spec").deepCopy();
    var after = wanted.path("spec").deepCopy();
    for (var spec : List.of(before, after)) {
      if (spec instanceof ObjectNode fields) {
        fields.remove("activeDeadlineSeconds");
        fields.remove("tolerations");
      }
    }
    if (wanted.has("spec") && !before.equals(after)) {
      throw Refusal.invalid(
          key,
          "spec: Forbidden: pod updates may not change fields other than"
              + " `spec.containers[*].image`,`spec.initContainers[*].image`,"
              + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing"
              + " tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it"
              + " was previously negative)");
    }
  }

  private static void write(Target target, ObjectNode object, ObjectNode wanted) {
    if (target.subresource().equals("status")) {
      object.set("status", wanted.path("status").deepCopy());
      return;
    }
    var before = object.deepCopy();
    object.removeAll();
    object.setAll(wanted.deepCopy());
    var metadata = Json.metadata(object);
    for (var field : Patch.keptWhenReplaced()) {
      metadata.remove(field);
      before.path("metadata").optional(field).ifPresent(it -> metadata.set(field, it));
    }
    metadata.put("name", target.name());
    if (target.type().namespaced()) {
      metadata.put("namespace", target.namespace());
    }
    metadata.set("resourceVersion", before.path("metadata").path("resourceVersion"));
    metadata.set("generation", before.path("metadata").path("generation"));
    object.remove("status");
    before.optional("status").ifPresent(it -> object.set("status", it));
    if (!before.path("spec").equals(object.path("spec"))) {
      metadata.put("generation", before.path("metadata").path("generation").asInt(1) + 1);
    }
  }
}
