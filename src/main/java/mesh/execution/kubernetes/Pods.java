package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import mesh.execution.BackendException;

/** The pods of the namespace: made, found, listed and deleted, each as often as it takes. */
final class Pods {

  private static final long PAGE = 250;
  private static final long GRACE = 1;

  private final Cluster cluster;
  private final Waits waits;

  Pods(Cluster cluster, Waits waits) {
    this.cluster = cluster;
    this.waits = waits;
  }

  Optional<Pod> find(String name) throws InterruptedException {
    return cluster.find(
        client -> client.pods().inNamespace(cluster.namespace()).withName(name).get());
  }

  /** False if there is one of its name. */
  boolean create(Pod pod) throws InterruptedException {
    return cluster.create(
        client -> client.pods().inNamespace(cluster.namespace()).resource(pod).create());
  }

  /** Has the cluster say whether it would make a pod, admission and quota included. */
  void rehearse(Pod pod) throws InterruptedException {
    cluster.call(
        client -> client.pods().inNamespace(cluster.namespace()).resource(pod).dryRun().create());
  }

  /**
   * The pod that is meant and lives.
   *
   * @throws BackendException.SandboxGone if there is none
   */
  Pod require(Identity identity) throws InterruptedException {
    var pod = find(identity.pod()).orElseThrow(() -> gone(identity, "was deleted"));
    if (!identity.isOf(pod)) {
      throw gone(identity, "was replaced by another of its name");
    }
    var end = Demise.of(pod);
    if (end.isPresent()) {
      throw gone(identity, end.get().why());
    }
    return pod;
  }

  static BackendException.SandboxGone gone(Identity identity, String why) {
    return new BackendException.SandboxGone("the pod %s %s".formatted(identity.pod(), why));
  }

  /** Deletes the pod that is meant, and no other, and sees that it is gone. */
  void delete(Identity identity) throws InterruptedException {
    var look = waits.look(waits.end());
    boolean asked = false;
    do {
      var pod = find(identity.pod()).filter(identity::isOf);
      if (pod.isEmpty()) {
        return;
      }
      if (!asked || pod.get().getMetadata().getDeletionTimestamp() == null) {
        asked = true;
        var options = Cluster.inBackground().withGracePeriodSeconds(GRACE);
        options.withNewPreconditions().withUid(pod.get().getMetadata().getUid()).endPreconditions();
        cluster.delete("api/v1", "pods/" + identity.pod(), options.build());
      }
    } while (look.again());
    throw new BackendException.Unavailable(
        "Kubernetes still has the pod %s %d s after its deletion"
            .formatted(identity.pod(), waits.end().toSeconds()),
        Duration.ZERO,
        null);
  }

  /** All pods of the namespace, each once. */
  List<Pod> all() throws InterruptedException {
    // As a whole: the next page of a list that is too old is refused, and then it begins anew.
    return cluster.call(client -> {
      var found = new ArrayList<Pod>();
      var seen = new HashSet<String>();
      var from = "";
      do {
        var options = new ListOptionsBuilder().withLimit(PAGE);
        if (!from.isEmpty()) {
          options.withContinue(from);
        }
        var page = client.pods().inNamespace(cluster.namespace()).list(options.build());
        if (page == null || page.getItems() == null || page.getMetadata() == null) {
          throw new BackendException.Unexpected(
              "Kubernetes answered something other than a list of pods", null);
        }
        found.addAll(page.getItems());
        from = Demise.text(page.getMetadata().getContinue());
        if (!from.isEmpty() && !seen.add(from)) {
          throw new BackendException.Unexpected(
              "Kubernetes sent a page of its list a second time", null);
        }
      } while (!from.isEmpty());
      return found;
    });
  }

  /** The last thing that the cluster warned of about a pod; empty if nothing or if it won't say. */
  String lastWarning(Pod pod) throws InterruptedException {
    try {
      var about = new ObjectReference();
      about.setUid(pod.getMetadata().getUid());
      return cluster.once(client ->
          client
              .v1()
              .events()
              .inNamespace(cluster.namespace())
              .withInvolvedObject(about)
              .list()
              .getItems()
              .stream()
              .filter(event -> "Warning".equals(event.getType()))
              .max(Comparator.comparing(event -> Demise.text(event.getLastTimestamp())))
              .map(event -> event.getReason() + ": " + Refusal.line(event.getMessage()))
              .orElse(""));
    } catch (BackendException noEvents) {
      return "";
    }
  }
}
