package mesh.workspace;

import java.util.List;
import java.util.Optional;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.catalog.BackendName;
import mesh.run.Steps;
import mesh.settings.AgentRuntimes;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes sandboxes for rows that are committed as creating, and says in the row what became of it.
 * The vendor is called between two transactions, never inside one.
 */
@Component
class Provisioner {

  private static final Logger log = LoggerFactory.getLogger(Provisioner.class);

  private final Backends backends;
  private final AgentRuntimes runtimes;
  private final WorkspaceRepository rows;
  private final Steps steps;
  private final InFlight inFlight;
  private final WorkspaceContext context;
  private final InstallationId installation;

  Provisioner(
      Backends backends,
      AgentRuntimes runtimes,
      WorkspaceRepository rows,
      Steps steps,
      InFlight inFlight,
      WorkspaceContext context,
      Installation installation) {
    this.backends = backends;
    this.runtimes = runtimes;
    this.rows = rows;
    this.steps = steps;
    this.inFlight = inFlight;
    this.context = context;
    this.installation = new InstallationId(installation.id());
  }

  Workspace create(Claim.Create claim) throws InterruptedException {
    var lease = claim.lease();
    if (claim.first() || claim.replaces()) {
      tell(claim);
    }
    Backend backend;
    Sandbox sandbox;
    try (var _ = inFlight.begin(lease.run())) {
      backend = backend(claim.backend());
      sandbox = backend.acquire(spec(claim));
    } catch (BackendException.Rejected refused) {
      rows.creationRefused(lease);
      throw refused;
    } catch (RuntimeException | InterruptedException unclear) {
      rows.creationAbandoned(lease);
      throw unclear;
    }
    if (!rows.ready(lease, sandbox.ref())) {
      undo(claim, sandbox);
      throw new Workspace.Superseded();
    }
    log.atInfo()
        .addKeyValue("run", lease.run())
        .addKeyValue("workspace", lease.workspace())
        .addKeyValue("runtime", claim.backend())
        .log("workspace acquired");
    return Workspace.made(
        new Hold(lease, claim.grantee().agent(), backend, sandbox.ref(), claim.grantee().issued()),
        sandbox,
        claim.replaces()
            ? "The previous sandbox was lost with its files: this is a new, empty one."
            : "",
        context);
  }

  /** Empty if the sandbox turned out to be lost; the row then says so. */
  Optional<Workspace> attach(Claim.Attach claim) throws InterruptedException {
    try {
      var backend = backend(claim.backend());
      var sandbox = backend.attach(claim.ref());
      return Optional.of(
          Workspace.attached(
              new Hold(
                  claim.lease(),
                  claim.grantee().agent(),
                  backend,
                  claim.ref(),
                  claim.grantee().issued()),
              sandbox,
              context));
    } catch (BackendException.SandboxGone gone) {
      rows.lost(claim.lease(), "sandbox_lost: " + gone.getMessage());
      return Optional.empty();
    }
  }

  /**
   * The row moved on while the vendor was at it. On its way out: the release takes the sandbox
   * along. Released already: the sandbox came after the release looked, and goes now. Taken over by
   * another instance: it is theirs, under the same key.
   */
  private void undo(Claim.Create claim, Sandbox sandbox) throws InterruptedException {
    rows.madeTooLate(claim.lease(), sandbox.ref());
    if (rows.isReleased(claim.lease().workspace())) {
      backend(claim.backend()).release(sandbox.ref());
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
        installation, claim.lease().workspace().value(), claim.generation(), claim.size());
  }

  /** One notice on the run's first acquisition, so that a slow start is not silence. */
  private void tell(Claim.Create claim) {
    var title =
        runtimes
            .find(claim.backend().value())
            .map(runtime -> runtime.descriptor().title())
            .orElse(claim.backend().value());
    var notice =
        JsonNodeFactory.instance
            .objectNode()
            .put("notice", claim.replaces() ? "sandbox_replaced" : "sandbox_starting")
            .put(
                "text",
                claim.replaces()
                    ? "The sandbox was lost. Setting up a new, empty one on " + title + "."
                    : "Setting up a sandbox on " + title + ". A reply follows when it is ready.");
    var without = notice.putArray("without");
    limits(claim.backend()).forEach(limit -> without.add(limit));
    steps.notice(claim.lease().run(), notice);
  }

  private List<String> limits(BackendName name) {
    return runtimes.find(name.value()).stream()
        .flatMap(runtime -> runtime.capabilities().stream())
        .filter(capability -> !capability.present())
        .map(capability -> capability.withoutIt())
        .toList();
  }
}
