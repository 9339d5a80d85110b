package mesh.execution.kubernetes;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.BackendProvider;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.Isolation;
import mesh.execution.remote.Patience;
import org.springframework.stereotype.Component;

/** Offers a Kubernetes cluster in the catalog. */
@Component
class KubernetesBackendProvider implements BackendProvider {

  static final String KUBECONFIG = "kubeconfig";
  static final String NAMESPACE = "namespace";
  static final String IMAGE = "image";
  static final String RUNTIME_CLASS = "runtime_class";
  static final String STORAGE_CLASS = "storage_class";
  static final String SNAPSHOT_CLASS = "snapshot_class";
  static final String EGRESS = "egress";
  static final String PULL_SECRET = "image_pull_secret";
  static final String SMALL_MEMORY = "small_memory_mib";
  static final String CILIUM = "cilium";

  private static final BackendDescriptor DESCRIPTOR =
      new BackendDescriptor(
          new BackendName("kubernetes"),
          300,
          "Kubernetes",
          "A pod in a namespace of your own cluster for each workspace.",
          Isolation.CONTAINER,
          "",
          List.of(
              new ConfigField.Secret(
                  KUBECONFIG,
                  "Kubeconfig",
                  "Its whole text, with a service account's token or a client certificate in it;"
                      + " empty if Mesh itself runs in the cluster.",
                  false),
              new ConfigField.Text(
                  NAMESPACE,
                  "Namespace",
                  "Where pods are made; docs/kubernetes-rbac.yaml prepares one.",
                  false,
                  "mesh-sandboxes"),
              new ConfigField.Text(
                  IMAGE,
                  "Image",
                  "What pods run: any image with a shell and git that works as user 1000.",
                  false,
                  "docker.io/library/buildpack-deps:bookworm"),
              new ConfigField.Text(
                  RUNTIME_CLASS,
                  "Runtime class",
                  "Such as one of gVisor or Kata; empty for the cluster's default.",
                  false,
                  ""),
              new ConfigField.Text(
                  STORAGE_CLASS,
                  "Storage class",
                  "Of the volume for project files; empty for the node's own disk, or for the"
                      + " cluster's default if snapshots are kept.",
                  false,
                  ""),
              new ConfigField.Text(
                  SNAPSHOT_CLASS,
                  "Volume snapshot class",
                  "With one, project files can be kept; its driver must be the storage class's.",
                  false,
                  ""),
              new ConfigField.Choice(
                  EGRESS,
                  "Egress control",
                  "Cilium, if the cluster's network is of it: only it knows policies by name.",
                  List.of("none", CILIUM),
                  "none"),
              new ConfigField.Text(
                  PULL_SECRET,
                  "Image pull secret",
                  "Name of a secret in the namespace; empty for a public image.",
                  false,
                  ""),
              new ConfigField.Choice(
                  "max_size",
                  "Largest size",
                  "A workspace that runs out of memory climbs so far.",
                  List.of("small", "standard", "large", "xlarge"),
                  "large"),
              new ConfigField.Choice(
                  SMALL_MEMORY,
                  "Memory of the small size, in MiB",
                  "Each next size has twice as much, and twice the processors.",
                  List.of("64", "128", "256", "512", "1024", "2048", "4096"),
                  "1024")));

  private final SecureRandom random;

  KubernetesBackendProvider(SecureRandom random) {
    this.random = random;
  }

  @Override
  public BackendDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return Kind.of(config).type();
  }

  @Override
  public Backend open(BackendConfig config) {
    return open(config, Waits.usual(Thread::sleep), Thread::sleep);
  }

  /**
   * @param retry waits before another attempt
   */
  PodBackend open(BackendConfig config, Waits waits, Patience.Pause retry) {
    var kubeconfig = text(config, KUBECONFIG);
    var access = kubeconfig.isEmpty() ? Access.ofPod() : Access.of(kubeconfig);
    var kind = Kind.of(config);
    var namespace = text(config, NAMESPACE);
    if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
      throw new BackendException.Rejected("the namespace has a name that none can have", null);
    }
    var permissions = Permissions.of(namespace, kind.restricts(), kind.keeps());
    var parts =
        Parts.of(access, namespace, permissions, template(config, kind), waits, retry, random);
    return kind.open(parts, text(config, SNAPSHOT_CLASS), random);
  }

  private static Manifest.Template template(BackendConfig config, Kind kind) {
    var storageClass = text(config, STORAGE_CLASS);
    return new Manifest.Template(
        text(config, IMAGE),
        text(config, RUNTIME_CLASS),
        text(config, PULL_SECRET),
        new Tiers(Integer.parseInt(config.get(SMALL_MEMORY))),
        Optional.of(new Claims(storageClass))
            .filter(it -> kind.keeps() || !storageClass.isEmpty()));
  }

  private static String text(BackendConfig config, String key) {
    return config.find(key).map(String::strip).orElse("");
  }

  /**
   * Which of the backend classes a configuration makes.
   *
   * @param restricts whether egress can be limited
   * @param keeps whether snapshots can be made
   */
  private record Kind(boolean restricts, boolean keeps) {

    static Kind of(BackendConfig config) {
      return new Kind(text(config, EGRESS).equals(CILIUM), !text(config, SNAPSHOT_CLASS).isEmpty());
    }

    Class<? extends Backend> type() {
      if (restricts) {
        return keeps ? RestrictingKeepingBackend.class : RestrictingBackend.class;
      }
      return keeps ? KeepingBackend.class : KubernetesBackend.class;
    }

    PodBackend open(Parts parts, String snapshotClass, SecureRandom random) {
      var egress = new Egress(parts, random);
      var snapshots = new Snapshots(parts, snapshotClass);
      if (restricts) {
        return keeps
            ? new RestrictingKeepingBackend(parts, egress, snapshots)
            : new RestrictingBackend(parts, egress);
      }
      return keeps ? new KeepingBackend(parts, snapshots) : new KubernetesBackend(parts);
    }
  }
}
