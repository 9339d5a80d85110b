package mesh.simulator.kubernetes;

import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.node.ObjectNode;

/**
 * How a call wants something deleted.
 *
 * @param grace in seconds; empty for what the object itself says
 * @param uid empty for any
 * @param orphan whether what belongs to it stays
 */
record DeleteOptions(
    OptionalLong grace,
    Optional<String> uid,
    Optional<String> resourceVersion,
    boolean orphan,
    boolean dryRun) {

  static final DeleteOptions NONE =
      new DeleteOptions(OptionalLong.empty(), Optional.empty(), Optional.empty(), false, false);

  /** Of this very object. */
  static DeleteOptions ofThis(String uid) {
    return new DeleteOptions(
        OptionalLong.empty(), Optional.of(uid), Optional.empty(), false, false);
  }

  static DeleteOptions of(Call call, byte[] body) {
    var json = Json.readObject(body, call.contentType());
    var seconds = json.path("gracePeriodSeconds").asString(call.value("gracePeriodSeconds"));
    var policy = json.path("propagationPolicy").asString(call.value("propagationPolicy"));
    var conditions = json.path("preconditions");
    return new DeleteOptions(
        seconds.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(seconds)),
        given(conditions.path("uid").asString("")),
        given(conditions.path("resourceVersion").asString("")),
        policy.equals("Orphan"),
        call.isDryRun()
            || json.path("dryRun").valueStream().anyMatch(it -> it.asString("").equals("All")));
  }

  private static Optional<String> given(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /**
   * @throws Refusal if the object is another than the caller thinks
   */
  void check(Key key, ObjectNode object) {
    var actual = Json.text(object, "metadata.uid");
    if (uid.isPresent() && !uid.get().equals(actual)) {
      throw Refusal.conflict(
          key,
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid.get(), actual));
    }
    var version = Json.text(object, "metadata.resourceVersion");
    if (resourceVersion.isPresent() && !resourceVersion.get().equals(version)) {
      throw Refusal.conflict(
          key,
          "Precondition failed: ResourceVersion in precondition: %s, ResourceVersion in object meta: %s"
              .formatted(resourceVersion.get(), version));
    }
  }
}
