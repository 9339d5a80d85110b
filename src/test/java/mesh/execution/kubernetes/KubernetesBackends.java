package mesh.execution.kubernetes;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import mesh.execution.Backend;
import mesh.execution.catalog.BackendConfig;

/** Opens the adapter for code outside its package, such as measurements. */
public final class KubernetesBackends {

  private KubernetesBackends() {}

  /** In the cluster and namespace of a kubeconfig's text, without egress control or snapshots. */
  public static Backend open(String kubeconfig, String namespace) {
    return new KubernetesBackendProvider(new SecureRandom())
        .open(config(kubeconfig, namespace, Map.of()));
  }

  /** As an operator leaves the form who fills in only what is asked for. */
  static BackendConfig config(String kubeconfig, String namespace, Map<String, String> more) {
    var values = new HashMap<String, String>();
    values.put(KubernetesBackendProvider.KUBECONFIG, kubeconfig);
    values.put(KubernetesBackendProvider.NAMESPACE, namespace);
    values.put(KubernetesBackendProvider.IMAGE, "docker.io/library/buildpack-deps:bookworm");
    values.put(KubernetesBackendProvider.SMALL_MEMORY, "128");
    values.putAll(more);
    return new BackendConfig(values);
  }
}
