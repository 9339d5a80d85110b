package mesh.workspace;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.agent.AgentId;
import mesh.credential.Issuance;
import mesh.credential.Issuances;
import mesh.database.Installation;
import mesh.database.Instances;
import mesh.execution.InstallationId;
import mesh.execution.SandboxKey;
import mesh.run.RunId;
import mesh.workspace.WorkspaceRepository.LockedAgent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Decides, in one short transaction, who makes a run's sandbox, and issues what the run may have
 * there. Locks in Mesh's global order: run, agent, permissions, workspace. Holding the run's row
 * keeps it from ending until the decision is committed.
 */
@Component
class WorkspaceClaims {

  private static final Logger log = LoggerFactory.getLogger(WorkspaceClaims.class);

  private final WorkspaceRepository workspaces;
  private final Placement placement;
  private final Issuances issuances;
  private final InstallationId installation;
  private final Instances instances;

  WorkspaceClaims(
      WorkspaceRepository workspaces,
      Placement placement,
      Issuances issuances,
      Installation installation,
      Instances instances) {
    this.workspaces = workspaces;
    this.placement = placement;
    this.issuances = issuances;
    this.installation = new InstallationId(installation.id());
    this.instances = instances;
  }

  /**
   * Where a new sandbox goes is decided only if one is to be made: an existing one stays in use
   * when its runtime was disabled.
   *
   * @throws mesh.tool.ToolRefusal.NotPossible if a new one can go nowhere
   */
  @Transactional
  Claim claim(RunId run) {
    if (!workspaces.lockLiveRun(run)) {
      return new Claim.RunOver();
    }
    var agent = workspaces.lockAgentOf(run);
    issuances.lockPermissions(agent.id());
    var row = workspaces.lock(run, me());
    return switch (row.state()) {
      case PENDING, LOST -> create(run, row, agent);
      case CREATING -> follow(run, row, agent.id());
      case READY -> attach(run, row, agent.id());
      case HELD, RELEASING, RELEASED, STRANDED ->
          new Claim.Over(row.state(), Objects.requireNonNullElse(row.releaseReason(), ""));
    };
  }

  private Claim create(RunId run, WorkspaceRow row, LockedAgent agent) {
    if (workspaces.liveOfAgentOf(run) >= agent.limit()) {
      return new Claim.LimitReached(agent.limit());
    }
    var placed = placement.place(run);
    if (placed.implicit()) {
      log.atInfo()
          .addKeyValue("run", run)
          .addKeyValue("runtime", placed.backend())
          .log("unpinned agent placed on the default runtime");
    }
    var issued = issuances.issue(run, agent.id(), placement.takesCredentials(placed.backend()));
    if (!issued.stream().allMatch(Issuance::current)) {
      return new Claim.Outdated();
    }
    workspaces.taint(row.id());
    boolean replaces = row.state() == WorkspaceState.LOST;
    int generation = replaces ? row.generation() + 1 : row.generation();
    var key = SandboxKey.of(installation, row.id().value(), generation);
    long fence =
        workspaces.startCreating(row.id(), placed.backend(), key, generation, placed.size(), me());
    return new Claim.Create(
        new Lease(row.id(), run, fence),
        grantee(agent.id(), issued),
        placed.backend(),
        generation,
        placed.size(),
        !replaces,
        replaces);
  }

  /** A sandbox may exist already, under the same key: making it again finds it. */
  private Claim follow(RunId run, WorkspaceRow row, AgentId agent) {
    if (row.makerAlive()) {
      return new Claim.Wait();
    }
    var backend = row.backend();
    var size = row.size();
    if (backend == null || size == null) {
      throw new IllegalStateException("workspace " + row.id() + " is creating without a backend");
    }
    long fence = workspaces.takeOverCreating(row.id(), me());
    return new Claim.Create(
        new Lease(row.id(), run, fence),
        grantee(agent, issuances.of(run)),
        backend,
        row.generation(),
        size,
        false,
        false);
  }

  private Claim attach(RunId run, WorkspaceRow row, AgentId agent) {
    var backend = row.backend();
    var ref = row.ref();
    if (backend == null || ref == null) {
      throw new IllegalStateException("workspace " + row.id() + " is ready without a sandbox");
    }
    return new Claim.Attach(
        new Lease(row.id(), run, row.fence()), grantee(agent, issuances.of(run)), backend, ref);
  }

  private static Claim.Grantee grantee(AgentId agent, List<Issuance> issued) {
    return new Claim.Grantee(
        agent,
        issued.stream()
            .filter(Issuance::available)
            .map(Issuance::provider)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private UUID me() {
    return instances.instanceId();
  }
}
