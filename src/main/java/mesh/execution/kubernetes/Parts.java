package mesh.execution.kubernetes;

import java.security.SecureRandom;
import java.util.Optional;
import mesh.execution.remote.Commands;
import mesh.execution.remote.Dialect;
import mesh.execution.remote.Patience;

/** What every backend class here is made of, connected to one cluster. */
record Parts(
    Cluster cluster,
    Manifest manifest,
    Installation installation,
    Pods pods,
    Connector connector,
    Sandboxes sandboxes,
    Rehearsal rehearsal,
    Waits waits)
    implements AutoCloseable {

  /**
   * @param retry waits before another attempt
   */
  static Parts of(
      Access access,
      String namespace,
      Permissions permissions,
      Manifest.Template template,
      Waits waits,
      Patience.Pause retry,
      SecureRandom random) {
    var patience = new Patience(retry, random);
    var cluster = new Cluster(access, namespace, permissions, patience);
    var manifest = new Manifest(template);
    var installation = new Installation(cluster);
    var pods = new Pods(cluster, waits);
    var connector = new Connector(access, cluster, pods, waits, patience);
    // The cluster ends a whole pod at its deadline; an older one cannot be told an input's end.
    var dialect = new Dialect("Kubernetes", "pod", Optional.empty(), false);
    var commands = new Commands(connector, dialect, random);
    var sandboxes = new Sandboxes(manifest, installation, pods, new Startup(pods, waits), commands);
    var rehearsal = new Rehearsal(cluster, permissions, manifest, installation, pods);
    return new Parts(cluster, manifest, installation, pods, connector, sandboxes, rehearsal, waits);
  }

  @Override
  public void close() {
    connector.close();
    cluster.close();
  }
}
