package mesh.execution.kubernetes;

import java.util.List;
import mesh.execution.Rehearsing.Check;
import mesh.execution.SandboxSpec;

/**
 * What a cluster says of a pod before there is one: reviews of access for each right that Mesh
 * uses, then the pod itself as a dry run, which goes through admission, Pod Security and quota.
 */
final class Rehearsal {

  private final Cluster cluster;
  private final Permissions permissions;
  private final Manifest manifest;
  private final Installation installation;
  private final Pods pods;

  Rehearsal(
      Cluster cluster,
      Permissions permissions,
      Manifest manifest,
      Installation installation,
      Pods pods) {
    this.cluster = cluster;
    this.permissions = permissions;
    this.manifest = manifest;
    this.installation = installation;
    this.pods = pods;
  }

  List<Check> checks(SandboxSpec spec) {
    return List.of(
        new Check("rights", () -> cluster.call(permissions::granted)),
        new Check("dry_run", () -> dryRun(spec)));
  }

  private String dryRun(SandboxSpec spec) throws InterruptedException {
    pods.rehearse(manifest.pod(spec, installation.owner(spec.installation())));
    return "the namespace " + cluster.namespace() + " would take such a pod";
  }
}
