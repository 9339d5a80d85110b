package mesh.simulator.kubernetes;

import java.util.Optional;
import mesh.simulator.http.Query;
import mesh.simulator.http.Request;

/**
 * A request and what it asks for.
 *
 * @param target empty for what tells about the API itself, or is not there
 */
record Call(CallKind kind, Request request, Optional<Target> target) {

  static Call of(Request request) {
    var target = Target.of(request.segments());
    var kind =
        target.map(it -> new CallKind(verb(request, it), it.resource())).orElse(CallKind.DISCOVERY);
    return new Call(kind, request, target);
  }

  private static String verb(Request request, Target target) {
    if (target.subresource().equals("exec")) {
      return "create";
    }
    return switch (request.method()) {
      case "GET" -> {
        if (!target.name().isEmpty()) {
          yield "get";
        }
        yield request.query().flag("watch") ? "watch" : "list";
      }
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> target.name().isEmpty() ? "deletecollection" : "delete";
      default -> request.method();
    };
  }

  Query query() {
    return request.query();
  }

  String value(String name) {
    return query().first(name).orElse("");
  }

  boolean isDryRun() {
    return query().all("dryRun").contains("All");
  }

  Selector selector() {
    return Selector.of(value("labelSelector"), value("fieldSelector"));
  }

  String contentType() {
    return request.headers().first("Content-Type").orElse("");
  }
}
