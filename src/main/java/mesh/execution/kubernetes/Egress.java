package mesh.execution.kubernetes;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import mesh.execution.BackendException;
import mesh.execution.EgressPolicy;
import mesh.execution.InstallationId;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;

/**
 * Limits where sandboxes connect, and believes it only after having tried: a cluster takes every
 * policy, whether or not anything enforces it.
 */
final class Egress {

  /** How long a cluster that was seen to enforce policies is taken to go on. */
  private static final Duration TRUST = Duration.ofHours(1);

  private static final Duration LIFETIME = Duration.ofMinutes(15);
  private static final EgressPolicy NOTHING = new EgressPolicy(Set.of());

  private final Parts parts;
  private final Policies policies;
  private final Neighbours neighbours;
  private final SecureRandom random;
  private final ReentrantLock trial = new ReentrantLock();
  private long trusted;
  private boolean wasTried;

  Egress(Parts parts, SecureRandom random) {
    this.parts = parts;
    this.policies = new Policies(parts.cluster());
    this.neighbours = new Neighbours(parts.cluster(), policies);
    this.random = random;
  }

  Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    neighbours.refuse(spec.key().value(), Manifest.labels(spec));
    seeThatPoliciesHold(spec.installation());
    return limited(spec, policy);
  }

  /** Its policy is there before the pod is, and is seen to hold before the pod is handed out. */
  private Sandbox limited(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    var name = spec.key().value();
    if (parts.pods().find(name).isEmpty()) {
      // Of an attempt that came no further.
      policies.delete(name);
    }
    policies.create(spec, policy, parts.installation().owner(spec.installation()));
    try {
      var sandbox = parts.sandboxes().acquire(spec);
      try {
        require(sandbox);
      } catch (BackendException.Rejected open) {
        parts.sandboxes().destroy(sandbox.ref());
        throw open;
      }
      return sandbox;
    } catch (BackendException | InterruptedException failure) {
      liftIfNothingIsLeft(name, failure);
      throw failure;
    }
  }

  private void liftIfNothingIsLeft(String name, Exception failure) throws InterruptedException {
    try {
      if (parts.pods().find(name).isEmpty()) {
        policies.delete(name);
      }
    } catch (BackendException trouble) {
      failure.addSuppressed(trouble);
    }
  }

  void lift(String name) throws InterruptedException {
    policies.delete(name);
  }

  /** Policies take hold a while after a pod's start; nobody else is in it yet. */
  private void require(Sandbox sandbox) throws InterruptedException {
    var look = parts.waits().look(parts.waits().enforcement());
    List<String> reached;
    do {
      reached = Reach.of(sandbox);
      if (reached.isEmpty()) {
        return;
      }
    } while (look.again());
    throw new BackendException.Rejected(
        "egress is not limited: the cluster accepts network policies but nothing enforces them,"
            + " for a pod that may not connect there reached "
            + String.join(", ", reached),
        null);
  }

  private void seeThatPoliciesHold(InstallationId installation) throws InterruptedException {
    trial.lockInterruptibly();
    try {
      if (!wasTried || System.nanoTime() - trusted > TRUST.toNanos()) {
        tryWithout(installation);
        tryWith(installation);
        wasTried = true;
        trusted = System.nanoTime();
      }
    } finally {
      trial.unlock();
    }
  }

  /** What nobody can connect to proves nothing of policies. */
  private void tryWithout(InstallationId installation) throws InterruptedException {
    var open = parts.sandboxes().acquire(spec(installation));
    try {
      if (Reach.of(open).isEmpty()) {
        throw new BackendException.Rejected(
            "whether egress can be limited cannot be told: a pod without a policy reaches nothing"
                + " in this namespace either",
            null);
      }
    } finally {
      parts.sandboxes().destroy(open.ref());
    }
  }

  private void tryWith(InstallationId installation) throws InterruptedException {
    var spec = spec(installation);
    var closed = limited(spec, NOTHING);
    parts.sandboxes().destroy(closed.ref());
    policies.delete(spec.key().value());
  }

  /** An ordinary sandbox without a row: whoever compares Mesh's list with the cluster's ends it. */
  private SandboxSpec spec(InstallationId installation) {
    var workspace = new UUID(random.nextLong(), random.nextLong());
    return SandboxSpec.of(installation, workspace, 1, Size.SMALL, LIFETIME);
  }
}
