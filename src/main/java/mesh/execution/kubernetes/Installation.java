package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.Optional;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;

/**
 * Finds or makes the one object that owns all others of an installation: whoever deletes it has the
 * cluster delete everything that Mesh made.
 */
final class Installation {

  private final Cluster cluster;

  Installation(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Looked up each time: what names an owner that is no more is deleted at once. */
  OwnerReference owner(InstallationId id) throws InterruptedException {
    var name = "mesh-" + id.value();
    var found = find(name);
    if (found.isEmpty()) {
      var owner = new ConfigMapBuilder();
      owner
          .withNewMetadata()
          .withName(name)
          .addToLabels(Manifest.MANAGED_BY, Manifest.MESH)
          .addToLabels(Manifest.INSTALLATION, id.value())
          .endMetadata()
          .addToData("about", "Owns what Mesh made in this namespace. Its deletion deletes that.");
      cluster.create(client ->
          client.configMaps().inNamespace(cluster.namespace()).resource(owner.build()).create());
      found = find(name);
    }
    return found
        .map(Installation::reference)
        .orElseThrow(() ->
            new BackendException.Unexpected(
                "Kubernetes has no config map " + name + " after it was made", null));
  }

  private Optional<ConfigMap> find(String name) throws InterruptedException {
    return cluster.find(
        client -> client.configMaps().inNamespace(cluster.namespace()).withName(name).get());
  }

  private static OwnerReference reference(ConfigMap owner) {
    return new OwnerReferenceBuilder()
        .withApiVersion("v1")
        .withKind("ConfigMap")
        .withName(owner.getMetadata().getName())
        .withUid(owner.getMetadata().getUid())
        .build();
  }
}
