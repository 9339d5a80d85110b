package mesh.simulator.sprites;

import java.util.List;
import java.util.Optional;
import mesh.simulator.http.Query;
import mesh.simulator.http.Request;

/** A request and what it asks for. */
record Call(CallKind kind, Request request, List<String> segments) {

  static Call of(Request request) {
    var segments = request.segments();
    return new Call(kind(request, segments), request, segments);
  }

  Query query() {
    return request.query();
  }

  /** The sprite the call is about. */
  Optional<String> sprite() {
    return segments.size() > 2 ? Optional.of(segments.get(2)) : Optional.empty();
  }

  /** The path's last part. */
  String last() {
    return segments.getLast();
  }

  private static CallKind kind(Request request, List<String> segments) {
    if (segments.size() < 2 || !segments.subList(0, 2).equals(List.of("v1", "sprites"))) {
      return CallKind.UNKNOWN;
    }
    var below = segments.stream().skip(3).toList();
    var about = segments.size() > 2 ? "{sprite}" : "";
    // The middle part of a longer path is an id.
    var pattern =
        switch (below.size()) {
          case 0 -> about;
          case 1 -> below.getFirst();
          case 2 ->
              below.getFirst().matches("fs|policy")
                  ? String.join("/", below)
                  : below.getFirst() + "/{id}";
          default -> below.getFirst() + "/{id}/" + String.join("/", below.subList(2, below.size()));
        };
    return switch (request.method() + " " + pattern) {
      case "POST " -> CallKind.CREATE;
      case "GET " -> CallKind.LIST;
      case "GET {sprite}" -> CallKind.GET;
      case "PUT {sprite}" -> CallKind.UPDATE;
      case "DELETE {sprite}" -> CallKind.DELETE;
      case "GET fs/read" -> CallKind.FS_READ;
      case "PUT fs/write" -> CallKind.FS_WRITE;
      case "GET fs/list" -> CallKind.FS_LIST;
      case "DELETE fs/delete", "POST fs/rename", "POST fs/copy", "POST fs/chmod", "POST fs/chown" ->
          CallKind.FS_CHANGE;
      case "GET exec" -> {
        if (!request.wantsWebSocket()) {
          yield CallKind.EXEC_LIST;
        }
        yield request.query().names().contains("id") ? CallKind.ATTACH : CallKind.EXEC;
      }
      case "GET exec/{id}" -> request.wantsWebSocket() ? CallKind.ATTACH : CallKind.UNKNOWN;
      case "POST exec/{id}/kill" -> CallKind.KILL;
      case "GET services" -> CallKind.SERVICE_LIST;
      case "PUT services/{id}" -> CallKind.SERVICE_CREATE;
      case "DELETE services/{id}" -> CallKind.SERVICE_DELETE;
      case "GET policy/network" -> CallKind.POLICY_READ;
      case "POST policy/network" -> CallKind.POLICY_WRITE;
      case "POST checkpoint" -> CallKind.CHECKPOINT_CREATE;
      case "GET checkpoints", "GET checkpoints/{id}" -> CallKind.CHECKPOINT_LIST;
      case "POST checkpoints/{id}/restore" -> CallKind.CHECKPOINT_RESTORE;
      case "DELETE checkpoints/{id}" -> CallKind.CHECKPOINT_DELETE;
      default -> CallKind.UNKNOWN;
    };
  }
}
