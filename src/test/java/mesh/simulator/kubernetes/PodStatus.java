package mesh.simulator.kubernetes;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Writes the status of a pod into its object. */
final class PodStatus {

  private final ObjectNode pod;
  private final ObjectNode status;
  private final Instant now;

  PodStatus(ObjectNode pod, Instant now) {
    this.pod = pod;
    this.status = pod.withObjectProperty("status");
    this.now = now;
  }

  PodStatus phase(String phase) {
    status.put("phase", phase);
    return this;
  }

  PodStatus reason(String reason, String message) {
    status.put("reason", reason);
    status.put("message", message);
    return this;
  }

  PodStatus condition(String type, boolean value) {
    return condition(type, value ? "True" : "False", "", "");
  }

  PodStatus condition(String type, String value, String reason, String message) {
    var conditions = status.withArrayProperty("conditions");
    var changed = Json.time(now);
    for (var at = 0; at < conditions.size(); at++) {
      if (conditions.get(at).path("type").asString("").equals(type)) {
        if (conditions.get(at).path("status").asString("").equals(value)) {
          changed = conditions.get(at).path("lastTransitionTime").asString("");
        }
        conditions.remove(at);
      }
    }
    var condition = new LinkedHashMap<String, Object>();
    condition.put("type", type);
    condition.put("status", value);
    condition.put("lastProbeTime", null);
    condition.put("lastTransitionTime", changed);
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
      condition.put("message", message);
    }
    conditions.add(Json.object(condition));
    return this;
  }

  PodStatus onNode() {
    pod.withObjectProperty("spec").put("nodeName", Kubelet.NODE);
    return condition("PodScheduled", true);
  }

  PodStatus accepted() {
    status.put("hostIP", "127.0.0.1");
    status.set("hostIPs", Json.list(List.of(Map.of("ip", "127.0.0.1"))));
    status.put("startTime", Json.time(now));
    return condition("PodReadyToStartContainers", false)
        .condition("Initialized", true)
        .ready(false);
  }

  PodStatus address() {
    status.put("podIP", "127.0.0.1");
    status.set("podIPs", Json.list(List.of(Map.of("ip", "127.0.0.1"))));
    return condition("PodReadyToStartContainers", true);
  }

  PodStatus ready(boolean ready) {
    if (ready) {
      return condition("Ready", true).condition("ContainersReady", true);
    }
    var phase = status.path("phase").asString("");
    var reason = phase.equals("Succeeded") ? "PodCompleted" : "ContainersNotReady";
    var message = phase.equals("Succeeded") ? "" : "containers with unready status";
    return condition("Ready", "False", reason, message)
        .condition("ContainersReady", "False", reason, message);
  }

  /** None has started. */
  PodStatus waiting(String reason, String message) {
    var statuses = status.putArray("containerStatuses");
    for (var container : pod.path("spec").path("containers")) {
      var state = new LinkedHashMap<String, Object>(Map.of("reason", reason));
      if (!message.isEmpty()) {
        state.put("message", message);
      }
      statuses.add(
          status(container.path("name").asString(""), "", false, Map.of("waiting", state)));
    }
    return this;
  }

  PodStatus without(String field) {
    status.remove(field);
    return this;
  }

  /**
   * @param zero whether the exit code told of one that ran out of memory is 0
   */
  PodStatus containers(Collection<RunningContainer> containers, boolean zero) {
    var statuses = status.putArray("containerStatuses");
    for (var container : containers) {
      var state =
          container
              .exit()
              .map(exit -> terminated(container, exit, zero))
              .orElseGet(
                  () -> Map.of("running", Map.of("startedAt", Json.time(container.startedAt()))));
      statuses.add(
          status(container.name(), "containerd://" + container.id(), container.isRunning(), state));
    }
    return this;
  }

  private static Map<String, Object> terminated(
      RunningContainer container, RunningContainer.Exit exit, boolean zero) {
    var state = new LinkedHashMap<String, Object>();
    state.put("exitCode", zero && exit.reason().equals("OOMKilled") ? 0 : exit.code());
    state.put("reason", exit.reason());
    state.put("startedAt", Json.time(container.startedAt()));
    state.put("finishedAt", Json.time(exit.at()));
    state.put("containerID", "containerd://" + container.id());
    return Map.of("terminated", state);
  }

  private ObjectNode status(String name, String id, boolean running, Map<String, ?> state) {
    var image =
        pod.path("spec")
            .path("containers")
            .valueStream()
            .filter(it -> it.path("name").asString("").equals(name))
            .map(it -> it.path("image").asString(""))
            .findFirst()
            .orElse("");
    var json = new LinkedHashMap<String, Object>();
    json.put("name", name);
    json.put("state", state);
    json.put("lastState", Map.of());
    json.put("ready", running);
    json.put("restartCount", 0);
    json.put("image", image);
    json.put("imageID", running ? "simulated@" + image : "");
    Optional.of(id).filter(it -> !it.isEmpty()).ifPresent(it -> json.put("containerID", it));
    json.put("started", running);
    return Json.object(json);
  }
}
