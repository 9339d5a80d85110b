package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SnapshotRef;

/**
 * Keeps the volume of a project directory, and nothing else of a pod: what is in its home directory
 * may be a credential of somebody's.
 */
final class Snapshots {

  private static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("snapshot.storage.k8s.io")
          .withVersion("v1")
          .withKind("VolumeSnapshot")
          .withPlural("volumesnapshots")
          .withNamespaced(true)
          .build();

  private static final Duration SYNC = Duration.ofMinutes(2);

  private final Parts parts;
  private final String snapshotClass;

  Snapshots(Parts parts, String snapshotClass) {
    this.parts = parts;
    this.snapshotClass = snapshotClass;
  }

  SnapshotRef capture(ExternalRef ref, SandboxPath directory, UUID id) throws InterruptedException {
    check(directory);
    var identity = Identity.of(ref);
    var pod = parts.pods().require(identity);
    var name = "mesh-snapshot-" + id;
    if (find(name).isEmpty()) {
      sync(identity);
      var snapshot = snapshot(name, pod);
      parts
          .cluster()
          .create(client ->
              client
                  .genericKubernetesResources(KIND)
                  .inNamespace(parts.cluster().namespace())
                  .resource(snapshot)
                  .create());
    }
    awaitReady(name);
    return SnapshotRef.of(name);
  }

  private static void check(SandboxPath directory) {
    if (!directory.equals(Manifest.PROJECT)) {
      throw new BackendException.Rejected(
          "a Kubernetes volume is kept as a whole, and %s is not one".formatted(directory), null);
    }
  }

  /** A snapshot is of the disk: what is still in the node's memory would be missing. */
  private void sync(Identity identity) throws InterruptedException {
    var command = Command.of(List.of("sync"), Manifest.PROJECT, SYNC);
    var outcome = parts.sandboxes().sandbox(identity).exec(command, (_, _) -> {});
    if (!outcome.equals(new Outcome.Exited(0, 0))) {
      throw new BackendException.Unavailable(
          "the files of the pod %s could not be written to its volume: %s"
              .formatted(identity.pod(), outcome),
          Duration.ZERO,
          null);
    }
  }

  private GenericKubernetesResource snapshot(String name, Pod pod) throws InterruptedException {
    var installation = new InstallationId(Manifest.label(pod, Manifest.INSTALLATION));
    var builder =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(KIND.getGroup() + "/" + KIND.getVersion())
            .withKind(KIND.getKind());
    builder
        .withNewMetadata()
        .withName(name)
        .addToLabels(Manifest.MANAGED_BY, Manifest.MESH)
        .addToLabels(Manifest.INSTALLATION, installation.value())
        .withOwnerReferences(parts.installation().owner(installation))
        .endMetadata();
    var claim = Claims.claim(pod.getMetadata().getName(), project(pod));
    builder.addToAdditionalProperties(
        "spec",
        Map.of(
            "volumeSnapshotClassName",
            snapshotClass,
            "source",
            Map.of("persistentVolumeClaimName", claim)));
    return builder.build();
  }

  private static Volume project(Pod pod) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getEphemeral() != null)
        .findFirst()
        .orElseThrow(() ->
            new BackendException.Rejected(
                "the pod %s was made without a volume that could be kept"
                    .formatted(pod.getMetadata().getName()),
                null));
  }

  private Optional<GenericKubernetesResource> find(String name) throws InterruptedException {
    return parts
        .cluster()
        .find(client ->
            client
                .genericKubernetesResources(KIND)
                .inNamespace(parts.cluster().namespace())
                .withName(name)
                .get());
  }

  private static boolean isReady(GenericKubernetesResource snapshot) {
    return Boolean.TRUE.equals(snapshot.get("status", "readyToUse"));
  }

  private void awaitReady(String name) throws InterruptedException {
    var look = parts.waits().look(parts.waits().snapshot());
    do {
      var snapshot = find(name);
      if (snapshot.filter(Snapshots::isReady).isPresent()) {
        return;
      }
      var error = snapshot.map(it -> it.get("status", "error", "message"));
      if (error.isPresent()) {
        delete(SnapshotRef.of(name));
        throw new BackendException.Rejected(
            "the cluster could not make a snapshot: " + Refusal.line(error.get().toString()), null);
      }
    } while (look.again());
    delete(SnapshotRef.of(name));
    throw new BackendException.Unavailable(
        "the cluster did not finish a snapshot within %d s: has it a snapshot controller?"
            .formatted(parts.waits().snapshot().toSeconds()),
        Duration.ZERO,
        null);
  }

  Sandbox restore(ExternalRef ref, SnapshotRef snapshot, SandboxPath directory)
      throws InterruptedException {
    check(directory);
    var name = snapshot.reveal();
    var found =
        find(name)
            .filter(Snapshots::isReady)
            .orElseThrow(() ->
                new BackendException.Rejected(
                    "the snapshot %s no longer exists or cannot be used".formatted(name), null));
    var identity = Identity.of(ref);
    var pod = parts.pods().require(identity);
    var least = found.get("status", "restoreSize");
    var volume =
        parts
            .manifest()
            .claims()
            .restored(
                project(pod),
                Manifest.spec(pod).size(),
                new Quantity(least == null ? "0" : least.toString()),
                name);
    var installation = new InstallationId(Manifest.label(pod, Manifest.INSTALLATION));
    var owner = parts.installation().owner(installation);
    parts.pods().delete(identity);
    return parts.sandboxes().begin(parts.manifest().successor(pod, owner, volume));
  }

  void delete(SnapshotRef snapshot) throws InterruptedException {
    parts
        .cluster()
        .delete(
            "apis/snapshot.storage.k8s.io/v1",
            "volumesnapshots/" + snapshot.reveal(),
            Cluster.inBackground().build());
  }
}
