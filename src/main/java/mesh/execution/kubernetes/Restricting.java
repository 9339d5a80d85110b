package mesh.execution.kubernetes;

import mesh.execution.EgressControl;
import mesh.execution.EgressPolicy;
import mesh.execution.ExternalRef;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;

/** A backend class here that limits egress. */
interface Restricting extends PodBackend, EgressControl {

  String STAYS_OPEN =
      "Names in the list are looked up at the cluster's DNS; whatever answers at an address that"
          + " belongs to a name in the list can be reached; and policies of the whole cluster,"
          + " which Mesh may not see, count too.";

  Egress egress();

  @Override
  default Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    return egress().acquire(spec, policy);
  }

  @Override
  default Release release(ExternalRef ref) throws InterruptedException {
    parts().sandboxes().destroy(ref);
    egress().lift(Identity.of(ref).pod());
    return Release.DESTROYED;
  }
}
