package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Finds out whether the one node takes a pod. */
final class Scheduler {

  private final Store store;
  private final Settings settings;

  Scheduler(Store store, Settings settings) {
    this.store = store;
    this.settings = settings;
  }

  /** Why not, in the scheduler's words. */
  Optional<String> obstacle(ObjectNode pod) {
    var namespace = Json.text(pod, "metadata.namespace");
    for (var volume : pod.path("spec").path("volumes")) {
      var name = PodVolumes.claim(pod, volume);
      if (!name.isEmpty()) {
        var claim = store.find(new Key(ResourceType.CLAIM, namespace, name));
        if (claim.isEmpty()) {
          return none("persistentvolumeclaim \"" + name + "\" not found");
        }
        if (!Json.text(claim.get(), "status.phase").equals("Bound")) {
          return none("pod has unbound immediate PersistentVolumeClaims");
        }
      }
    }
    var lacking = new ArrayList<String>();
    for (var resource : List.of("cpu", "memory")) {
      var whole = Quantity.parse(settings.node().getOrDefault(resource, "0"));
      if (Needs.requested(pod, resource).plus(used(resource)).isMoreThan(whole)) {
        lacking.add("1 Insufficient " + resource);
      }
    }
    return lacking.isEmpty() ? Optional.empty() : none(String.join(", ", lacking));
  }

  private Quantity used(String resource) {
    return store.list(ResourceType.POD, "").objects().stream()
        .filter(it -> !Json.text(it, "spec.nodeName").isEmpty() && !hasFinished(it))
        .map(it -> Needs.requested(it, resource))
        .reduce(Quantity.ZERO, Quantity::plus);
  }

  static boolean hasFinished(ObjectNode pod) {
    return Json.text(pod, "status.phase").matches("Succeeded|Failed");
  }

  private static Optional<String> none(String why) {
    return Optional.of(
        "0/1 nodes are available: "
            + why
            + ". preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
  }
}
