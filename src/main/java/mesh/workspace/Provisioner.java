package mesh.workspace;

import java.util.List;
import java.util.Optional;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.catalog.BackendName;
import mesh.fault.FaultPoint;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Makes sandboxes for rows that are committed as creating, and says in the row what became of it.
 * The vendor is called between two transactions, never inside one.
 */
@Component
class Provisioner {

  private static final Logger log = LoggerFactory.getLogger(Provisioner.class);

  private static final String ACQUIRE = "mesh.workspace.acquire";

  private final Backends backends;
  private final WorkspaceRepository rows;
  private final Manifests manifests;
  private final WorkspaceNotices notices;
  private final InFlight inFlight;
  private final WorkspaceContext context;
  private final WorkspaceLimits limits;
  private final InstallationId installation;

  Provisioner(
      Backends backends,
      WorkspaceRepository rows,
      Manifests manifests,
      WorkspaceNotices notices,
      InFlight inFlight,
      WorkspaceContext context,
      WorkspaceLimits limits,
      Installation installation) {
    this.backends = backends;
    this.rows = rows;
    this.manifests = manifests;
    this.notices = notices;
    this.inFlight = inFlight;
    this.context = context;
    this.limits = limits;
    this.installation = new InstallationId(installation.id());
  }

  Workspace create(Claim.Create claim) throws InterruptedException {
    return context
        .stages()
        .of(ACQUIRE, claim.backend(), claim.lease(), _ -> "created", () -> created(claim));
  }

  private Workspace created(Claim.Create claim) throws InterruptedException {
    var lease = claim.lease();
    FaultPoint.CLAIM_COMMITTED.hit();
    if (claim.occasion() != Claim.Occasion.ABANDONED) {
      notices.starting(claim);
    }
    Backend backend;
    Sandbox sandbox;
    try (var _ = inFlight.begin(lease.run())) {
      backend = backend(claim.backend());
      sandbox = context.vendor().acquire(claim.backend(), backend, spec(claim), claim.egress());
    } catch (BackendException.Rejected refused) {
      recording(refused, () -> rows.creationRefused(lease));
      throw refused;
    } catch (RuntimeException | InterruptedException unclear) {
      recording(unclear, () -> rows.creationAbandoned(lease));
      throw unclear;
    }
    FaultPoint.SANDBOX_UNRECORDED.hit();
    if (!rows.ready(lease, sandbox.ref(), null)) {
      undo(claim, backend, sandbox);
      throw new Workspace.Superseded();
    }
    FaultPoint.SANDBOX_RECORDED.hit();
    log.atInfo()
        .addKeyValue("run", lease.run())
        .addKeyValue("workspace", lease.workspace())
        .addKeyValue("runtime", claim.backend())
        .log("workspace acquired");
    return Workspace.made(
        hold(lease, claim.grantee(), claim.backend(), backend, sandbox.ref()),
        sandbox,
        claim.told(),
        context);
  }

  /**
   * Wakes a sandbox that was kept and compares it with what was left. Empty if it turned out to be
   * lost; the row then says so, and the run gets a new one.
   */
  Optional<Workspace> wake(Claim.Wake claim) throws InterruptedException {
    return context
        .stages()
        .of(
            ACQUIRE,
            claim.backend(),
            claim.lease(),
            woken -> woken.isPresent() ? "woken" : "lost",
            () -> woken(claim));
  }

  private Optional<Workspace> woken(Claim.Wake claim) throws InterruptedException {
    var lease = claim.lease();
    FaultPoint.CONTINUATION_COMMITTED.hit();
    Backend backend;
    Sandbox sandbox;
    Receipt receipt;
    try (var _ = inFlight.begin(lease.run())) {
      backend = backend(claim.backend());
      if (!(backend instanceof Hibernator hibernator)) {
        throw new BackendException.SandboxGone("the runtime lets no sandbox sleep any more");
      }
      sandbox = context.vendor().wake(claim.backend(), hibernator, claim.ref());
      receipt = compare(claim, backend, sandbox);
    } catch (BackendException.SandboxGone gone) {
      rows.lost(lease, "sandbox_lost: " + gone.getMessage());
      return Optional.empty();
    } catch (RuntimeException | InterruptedException unclear) {
      recording(unclear, () -> rows.creationAbandoned(lease));
      throw unclear;
    }
    FaultPoint.WAKE_UNRECORDED.hit();
    if (!rows.ready(lease, sandbox.ref(), receipt.json())) {
      // Whoever has the row now has the sandbox.
      throw new Workspace.Superseded();
    }
    notices.resumed(lease.run(), receipt);
    log.atInfo()
        .addKeyValue("run", lease.run())
        .addKeyValue("workspace", lease.workspace())
        .addKeyValue("outcome", receipt.outcome())
        .log("workspace resumed");
    return Optional.of(
        Workspace.resumed(
            hold(lease, claim.grantee(), claim.backend(), backend, sandbox.ref()),
            sandbox,
            receipt.text(),
            context));
  }

  private Receipt compare(Claim.Wake claim, Backend backend, Sandbox sandbox)
      throws InterruptedException {
    var left = claim.manifest();
    var own = claim.from().equals(claim.lease().run());
    var differences =
        left == null
            ? Optional.<List<String>>empty()
            : manifests
                .look(backend, sandbox, claim.lease().run())
                .map(found -> Manifest.of(left).differences(found));
    return Receipt.resumed(claim.from(), own, differences.orElse(null));
  }

  /** Empty if the sandbox turned out to be lost; the row then says so. */
  Optional<Workspace> attach(Claim.Attach claim) throws InterruptedException {
    return context
        .stages()
        .of(
            ACQUIRE,
            claim.backend(),
            claim.lease(),
            attached -> attached.isPresent() ? "attached" : "lost",
            () -> attached(claim));
  }

  private Optional<Workspace> attached(Claim.Attach claim) throws InterruptedException {
    try {
      var backend = backend(claim.backend());
      var sandbox = context.vendor().attach(claim.backend(), backend, claim.ref());
      return Optional.of(
          Workspace.attached(
              hold(claim.lease(), claim.grantee(), claim.backend(), backend, claim.ref()),
              sandbox,
              context));
    } catch (BackendException.SandboxGone gone) {
      rows.lost(claim.lease(), "sandbox_lost: " + gone.getMessage());
      return Optional.empty();
    }
  }

  private static Hold hold(
      Lease lease, Claim.Grantee grantee, BackendName name, Backend backend, ExternalRef ref) {
    return new Hold(lease, grantee.agent(), name, backend, ref, grantee.issued());
  }

  /** What went wrong first is what the caller is told, also if that cannot be recorded. */
  private static void recording(Exception first, Runnable record) {
    try {
      record.run();
    } catch (RuntimeException unrecorded) {
      log.atWarn().setCause(unrecorded).log("failed acquisition not recorded");
      first.addSuppressed(unrecorded);
    }
  }

  /**
   * The row moved on while the vendor was at it. On its way out: the release takes the sandbox
   * along. Being made by another instance under the same key: it is theirs. Else nobody will ever
   * look for it, and it goes now; should that fail, the inventory comparison finds it.
   */
  private void undo(Claim.Create claim, Backend backend, Sandbox sandbox)
      throws InterruptedException {
    rows.madeTooLate(claim.lease(), claim.key(), sandbox.ref());
    if (!rows.names(claim.lease().workspace(), claim.key())) {
      context.vendor().destroy(claim.backend(), backend, sandbox.ref());
    }
    log.atInfo()
        .addKeyValue("run", claim.lease().run())
        .addKeyValue("workspace", claim.lease().workspace())
        .log("workspace made too late");
  }

  private Backend backend(BackendName name) {
    return backends
        .named(name)
        .orElseThrow(() ->
            new ToolRefusal.NotPossible(
                "runtime_not_configured",
                "The runtime '%s' is not fully configured: an operator must complete it under Settings, Agent runtimes."
                    .formatted(name)));
  }

  private SandboxSpec spec(Claim.Create claim) {
    return SandboxSpec.of(
        installation,
        claim.lease().workspace().value(),
        claim.generation(),
        claim.size(),
        limits.lifetime());
  }
}
