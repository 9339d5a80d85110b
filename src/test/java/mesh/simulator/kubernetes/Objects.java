package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.Response;
import tools.jackson.databind.node.ObjectNode;

/** Answers what is asked of objects, whatever their type. */
final class Objects {

  private final Store store;
  private final Settings settings;
  private final Kubelet kubelet;
  private final Deletions deletions;
  private final Reads reads;
  private final Writes writes;

  Objects(Store store, Settings settings, Kubelet kubelet, Deletions deletions, Writes writes) {
    this.store = store;
    this.settings = settings;
    this.kubelet = kubelet;
    this.deletions = deletions;
    this.reads = new Reads(store);
    this.writes = writes;
  }

  Response answer(Call call, Target target, byte[] body, Optional<Fault> fault) throws IOException {
    switch (target.resource()) {
      case "pods/log" -> {
        return log(call, target);
      }
      case "pods/eviction" -> {
        deletions.delete(target.key(), DeleteOptions.NONE);
        return success(target.key(), 201);
      }
      case "selfsubjectaccessreviews" -> {
        return Response.json(201, Json.write(review(Json.readObject(body, call.contentType()))));
      }
      default -> {
        if (!target.subresource().matches("|status")) {
          throw Refusal.noSuchResource();
        }
      }
    }
    return switch (call.kind().verb()) {
      case "get" -> Response.json(200, Json.write(store.get(target.key())));
      case "list" ->
          fault.orElse(null) instanceof Fault.StaleList(var age)
              ? reads.list(
                  call,
                  target,
                  store.listAsOf(store.now().minus(age), target.type(), target.namespace()))
              : reads.list(call, target);
      case "watch" -> {
        var watch = watch(call, target, fault);
        yield Response.streamed(
            "application/json",
            out -> watch.tell(line -> out.write((line + "\n").getBytes(UTF_8))));
      }
      case "create" -> {
        var object = Json.readObject(body, call.contentType());
        yield Response.json(201, Json.write(writes.create(target, object, call.isDryRun())));
      }
      case "update" -> {
        var object = Json.readObject(body, call.contentType());
        yield Response.json(200, Json.write(writes.replace(target, object, call.isDryRun())));
      }
      case "patch" -> {
        var existed = store.find(target.key()).isPresent();
        var patch = Json.read(body, call.contentType());
        var patched = writes.patch(target, patch, call.contentType(), call.isDryRun());
        yield Response.json(existed ? 200 : 201, Json.write(patched));
      }
      case "delete" -> delete(target, DeleteOptions.of(call, body));
      case "deletecollection" -> deleteAll(call, target, DeleteOptions.of(call, body));
      default -> throw Refusal.methodNotAllowed();
    };
  }

  /**
   * @throws Refusal if it may not be watched like that
   */
  Watch watch(Call call, Target target, Optional<Fault> fault) {
    if (call.query().flag("sendInitialEvents") && !settings.watchLists()) {
      throw Refusal.of(
          422,
          "Invalid",
          "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents"
              + " is forbidden for watch unless the WatchList feature gate is enabled");
    }
    return new Watch(store, call, target, fault);
  }

  private Response delete(Target target, DeleteOptions options) {
    var key = target.key();
    if (options.dryRun()) {
      options.check(key, store.get(key));
      return Response.json(200, Json.write(store.get(key)));
    }
    // Of a pod one is told what it was, of other things only that they are gone.
    var before = store.get(key);
    var left = deletions.delete(key, options);
    return left.isPresent() || key.type().equals(ResourceType.POD)
        ? Response.json(200, Json.write(left.orElse(before)))
        : success(key, 200);
  }

  private Response deleteAll(Call call, Target target, DeleteOptions options) {
    var selector = call.selector();
    var found = new ArrayList<ObjectNode>();
    for (var object : store.list(target.type(), target.namespace()).objects()) {
      if (selector.matches(object)) {
        found.add(object);
        if (!options.dryRun()) {
          deletions.delete(Key.of(target.type(), object), options);
        }
      }
    }
    var metadata = Map.of("resourceVersion", Long.toString(store.version()));
    return Response.json(200, Json.write(Reads.list(target.type(), metadata, found)));
  }

  private static Response success(Key key, int code) {
    var status = new LinkedHashMap<String, Object>();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.put("metadata", Map.of());
    status.put("status", "Success");
    status.put("details", Map.of("name", key.name(), "kind", key.type().plural()));
    return Response.json(code, Json.write(status));
  }

  private ObjectNode review(ObjectNode review) {
    var asked = review.path("spec").path("resourceAttributes");
    var below = asked.path("subresource").asString("");
    var resource = asked.path("resource").asString("") + (below.isEmpty() ? "" : "/" + below);
    var kind = new CallKind(asked.path("verb").asString(""), resource);
    var status = review.putObject("status").put("allowed", !settings.refuses(kind));
    if (settings.refuses(kind)) {
      status.put("reason", "");
    }
    return review;
  }

  private Response log(Call call, Target target) throws IOException {
    var pod = store.get(target.key());
    var wanted = call.query().first("container");
    var container =
        wanted.orElseGet(
            () -> pod.path("spec").path("containers").path(0).path("name").asString(""));
    var log =
        kubelet.find(Json.text(pod, "metadata.uid")).flatMap(it -> it.anyContainer(container));
    if (log.isEmpty()) {
      throw Refusal.badRequest(
          "container \"%s\" in pod \"%s\" is waiting to start: ContainerCreating"
              .formatted(container, target.name()));
    }
    return Response.of(200, "text/plain", log.get().log());
  }
}
