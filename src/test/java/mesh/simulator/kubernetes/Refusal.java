package mesh.simulator.kubernetes;

import java.util.LinkedHashMap;
import java.util.Map;
import mesh.simulator.http.Response;
import tools.jackson.databind.node.ObjectNode;

/** A call that is answered with a {@code Status} that says no. */
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;
  private final transient Map<String, Object> details;

  private Refusal(int code, String reason, String message, Map<String, Object> details) {
    super(message, null, false, false);
    this.code = code;
    this.reason = reason;
    this.details = details;
  }

  private Refusal(int code, String reason, String message) {
    this(code, reason, message, Map.of());
  }

  private static Refusal about(Key key, int code, String reason, String message) {
    var details = new LinkedHashMap<String, Object>();
    details.put("name", key.name());
    if (!key.type().group().isEmpty()) {
      details.put("group", key.type().group());
    }
    details.put("kind", key.type().plural());
    return new Refusal(code, reason, message, details);
  }

  private static String quoted(Key key) {
    return key.type().qualified() + " \"" + key.name() + "\"";
  }

  static Refusal badRequest(String message) {
    return new Refusal(400, "BadRequest", message);
  }

  static Refusal unauthorized() {
    return new Refusal(401, "Unauthorized", "Unauthorized");
  }

  static Refusal forbidden(Key key, String message) {
    return about(key, 403, "Forbidden", quoted(key) + " is forbidden: " + message);
  }

  static Refusal notAllowed(Key key, String message) {
    return about(key, 403, "Forbidden", message);
  }

  static Refusal notFound(Key key) {
    return about(key, 404, "NotFound", quoted(key) + " not found");
  }

  static Refusal noSuchResource() {
    return new Refusal(404, "NotFound", "the server could not find the requested resource");
  }

  static Refusal methodNotAllowed() {
    return new Refusal(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  static Refusal alreadyExists(Key key) {
    return about(key, 409, "AlreadyExists", quoted(key) + " already exists");
  }

  static Refusal conflict(Key key, String message) {
    return about(
        key, 409, "Conflict", "Operation cannot be fulfilled on " + quoted(key) + ": " + message);
  }

  static Refusal expired(String message) {
    return new Refusal(410, "Expired", message);
  }

  static Refusal unsupportedMedia(String contentType) {
    return new Refusal(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include:"
            + " application/json-patch+json, application/merge-patch+json,"
            + " application/strategic-merge-patch+json, application/apply-patch+yaml; not "
            + contentType);
  }

  static Refusal invalid(Key key, String message) {
    return about(
        key,
        422,
        "Invalid",
        key.type().kind()
            + (key.type().group().isEmpty() ? "" : "." + key.type().group())
            + " \""
            + key.name()
            + "\" is invalid: "
            + message);
  }

  static Refusal internal(String message) {
    return new Refusal(500, "InternalError", "Internal error occurred: " + message);
  }

  /** A server's error that says nothing about the object. */
  static Refusal of(int code, String reason, String message) {
    return new Refusal(code, reason, message);
  }

  ObjectNode status() {
    var status = new LinkedHashMap<String, Object>();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.put("metadata", Map.of());
    status.put("status", "Failure");
    status.put("message", String.valueOf(getMessage()));
    status.put("reason", reason);
    if (!details.isEmpty()) {
      status.put("details", details);
    }
    status.put("code", code);
    return Json.object(status);
  }

  Response response() {
    return Response.json(code, Json.write(status()));
  }
}
