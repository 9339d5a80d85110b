package mesh.execution.kubernetes;

import java.util.List;
import mesh.execution.Backend;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.LifetimeLimited;
import mesh.execution.Rehearsing;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;
import mesh.execution.Sized;

/** What all backend classes here have in common. They differ in what else they can do. */
interface PodBackend extends Backend, Shell, Sized, LifetimeLimited, Rehearsing {

  Parts parts();

  @Override
  default Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    return parts().sandboxes().acquire(spec);
  }

  @Override
  default Sandbox attach(ExternalRef ref) throws InterruptedException {
    return parts().sandboxes().attach(ref);
  }

  @Override
  default Release release(ExternalRef ref) throws InterruptedException {
    parts().sandboxes().destroy(ref);
    return Release.DESTROYED;
  }

  @Override
  default Inventory list(InstallationId installation) throws InterruptedException {
    return parts().sandboxes().list(installation);
  }

  @Override
  default List<Check> checks(SandboxSpec spec) {
    return parts().rehearsal().checks(spec);
  }

  @Override
  default void close() {
    parts().close();
  }
}
