package mesh.execution.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.Map;
import mesh.BesideOthers;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import mesh.simulator.kubernetes.KubernetesSimulator;
import org.jspecify.annotations.Nullable;

/**
 * The contract on Kubernetes: a simulator, or the cluster of the kubeconfig whose text is in {@code
 * MESH_TCK_KUBECONFIG}, in the namespace that {@code docs/kubernetes-rbac.yaml} makes.
 */
@BesideOthers
class KubernetesBackendTest extends BackendContract {

  /** A real cluster is asked for what each one has. */
  private static final Map<String, String> EVERYTHING =
      Map.of(
          KubernetesBackendProvider.EGRESS,
          KubernetesBackendProvider.CILIUM,
          KubernetesBackendProvider.SNAPSHOT_CLASS,
          "standard");

  private final @Nullable String real = System.getenv("MESH_TCK_KUBECONFIG");
  private @Nullable KubernetesSimulator simulator;

  @Override
  protected Backend backend() {
    var config =
        real == null
            ? KubernetesBackends.config(simulator().kubeconfig(), "default", EVERYTHING)
            : KubernetesBackends.config(real, "mesh-sandboxes", Map.of());
    return new KubernetesBackendProvider(new SecureRandom()).open(config);
  }

  private synchronized KubernetesSimulator simulator() {
    if (simulator == null) {
      try {
        simulator = KubernetesSimulator.start(0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return simulator;
  }

  @Override
  protected synchronized void finish() {
    if (simulator != null) {
      simulator.close();
    }
  }
}
