package mesh.workspace;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import mesh.agent.AgentId;
import mesh.credential.Issuance;
import mesh.credential.Issuances;
import mesh.database.Installation;
import mesh.database.Instances;
import mesh.execution.InstallationId;
import mesh.execution.SandboxKey;
import mesh.fault.FaultPoint;
import mesh.run.RunId;
import mesh.workspace.Claim.Occasion;
import mesh.workspace.ClaimRepository.LockedAgent;
import mesh.workspace.ContinuationRepository.Predecessor;
import mesh.workspace.Placement.Placed;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Decides, in one short transaction, who makes a run's sandbox, and issues what the run may have
 * there. Locks in Mesh's global order: run, agent, permissions, workspace. Holding the run's row
 * keeps it from ending until the decision is committed.
 */
@Component
class WorkspaceClaims {

  private final ClaimRepository rows;
  private final ContinuationRepository continuations;
  private final Placement placement;
  private final EgressRules egress;
  private final Issuances issuances;
  private final InstallationId installation;
  private final Instances instances;

  WorkspaceClaims(
      ClaimRepository rows,
      ContinuationRepository continuations,
      Placement placement,
      EgressRules egress,
      Issuances issuances,
      Installation installation,
      Instances instances) {
    this.rows = rows;
    this.continuations = continuations;
    this.placement = placement;
    this.egress = egress;
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
    if (!rows.lockLiveRun(run)) {
      return new Claim.RunOver();
    }
    var agent = rows.lockAgentOf(run);
    issuances.lockPermissions(agent.id());
    var row = rows.lock(run, me());
    FaultPoint.CLAIM_OPEN.hit();
    return switch (row.state()) {
      case PENDING -> first(run, row, agent);
      case LOST -> create(run, row, agent, Occasion.REPLACED, replaced(row));
      case CREATING -> follow(run, row, agent.id());
      case READY -> attach(run, row, agent.id());
      case HELD -> wake(run, row, agent);
      case RELEASING, RELEASED, STRANDED ->
          row.returns() && row.state() == WorkspaceState.RELEASING
              ? new Claim.Wait()
              : new Claim.Over(row.state(), Objects.requireNonNullElse(row.releaseReason(), ""));
    };
  }

  /** With what an earlier run left, if there is something and this run may have it. */
  private Claim first(RunId run, WorkspaceRow row, LockedAgent agent) {
    var placed = placement.place(run);
    var before = continuations.of(run, placed.backend());
    if (before.isEmpty()) {
      return create(run, row, agent, Occasion.FIRST, null);
    }
    var left = before.get();
    if (left.state() == WorkspaceState.RELEASING && left.returns()) {
      return new Claim.Wait();
    }
    var obstacle = obstacle(left, placed);
    if (obstacle.isPresent()) {
      return create(run, row, agent, Occasion.FIRST, Receipt.rebuilt(left.run(), obstacle.get()));
    }
    return within(
        agent,
        run,
        placed,
        issued -> {
          rows.taint(row.id());
          long fence = continuations.passOn(left.workspace(), row.id(), me());
          return new Claim.Wake(
              new Lease(row.id(), run, fence),
              grantee(agent.id(), issued),
              placed.backend(),
              Objects.requireNonNull(left.ref()),
              left.run(),
              left.manifest());
        });
  }

  /** Why a run cannot go on in the sandbox of an earlier one; empty if it can. */
  private static Optional<String> obstacle(Predecessor left, Placed placed) {
    if (left.outdated()) {
      return Optional.of("what its run was issued has been changed since");
    }
    if (left.state() == WorkspaceState.HELD) {
      return left.elsewhere()
          ? Optional.of("this run's runtime is another, '%s'".formatted(placed.backend()))
          : Optional.empty();
    }
    if (!left.ended()) {
      return Optional.of("that run has not ended and uses it");
    }
    return Optional.of(
        switch (Objects.requireNonNullElse(left.releaseReason(), "")) {
          case "continued" -> "another run has taken it over";
          case "hold_expired" -> "nobody came for it in time";
          case "authorization_changed" -> "what its run was issued has been changed since";
          case "authorization_unknown" -> "Mesh could not tell whether it might still be used";
          case "operator" -> "an operator ended it";
          case String reason when reason.startsWith("run_") ->
              "its runtime or its run did not let it sleep";
          case String reason -> "it was ended (%s)".formatted(reason);
        });
  }

  private Claim create(
      RunId run,
      WorkspaceRow row,
      LockedAgent agent,
      Occasion occasion,
      @Nullable Receipt receipt) {
    var placed = placement.place(run);
    var reach = egress.of(placed.backend(), row.egress());
    return within(
        agent,
        run,
        placed,
        issued -> {
          placed.log(run);
          rows.taint(row.id());
          int generation = occasion == Occasion.REPLACED ? row.generation() + 1 : row.generation();
          var key = SandboxKey.of(installation, row.id().value(), generation);
          var wanted = row.nextSize();
          var size = wanted == null ? placed.size() : wanted.atMost(placed.ceiling());
          long fence =
              rows.startCreating(
                  row.id(),
                  placed.backend(),
                  key,
                  generation,
                  size,
                  reach,
                  receipt == null ? null : receipt.json(),
                  me());
          return new Claim.Create(
              new Lease(row.id(), run, fence),
              grantee(agent.id(), issued),
              placed.backend(),
              key,
              generation,
              size,
              reach,
              occasion,
              receipt == null ? "" : receipt.text());
        });
  }

  /** What needs a place among the agent's live workspaces, and an authority that is good. */
  private Claim within(
      LockedAgent agent, RunId run, Placed placed, Function<List<Issuance>, Claim> use) {
    if (rows.liveOfAgentOf(run) >= agent.limit()) {
      return new Claim.LimitReached(agent.limit());
    }
    var issued = issuances.issue(run, agent.id(), placement.takesCredentials(placed.backend()));
    return issued.stream().allMatch(Issuance::current) ? use.apply(issued) : new Claim.Outdated();
  }

  private static Receipt replaced(WorkspaceRow row) {
    return Receipt.replaced(Objects.requireNonNullElse(row.releaseReason(), "sandbox_lost"));
  }

  /** A sandbox may exist already, under the same key: making it again finds it. */
  private Claim follow(RunId run, WorkspaceRow row, AgentId agent) {
    if (row.makerAlive()) {
      return new Claim.Wait();
    }
    return takeOver(run, row, agent, true);
  }

  /**
   * Takes over a making that nobody is at.
   *
   * @return empty if somebody is, or there is nothing to make any more
   */
  @Transactional
  Optional<Claim> claimAbandoned(RunId run) {
    if (!rows.lockLiveRun(run)) {
      return Optional.empty();
    }
    var agent = rows.lockAgentOf(run);
    issuances.lockPermissions(agent.id());
    var row = rows.lock(run, me());
    return row.state() == WorkspaceState.CREATING && row.abandoned()
        ? Optional.of(takeOver(run, row, agent.id(), false))
        : Optional.empty();
  }

  private Claim takeOver(RunId run, WorkspaceRow row, AgentId agent, boolean asksAgain) {
    var backend = row.backend();
    var size = row.size();
    var key = row.key();
    var reach = row.egress();
    if (backend == null || size == null || key == null || reach == null) {
      throw new IllegalStateException("workspace " + row.id() + " is creating without a backend");
    }
    var lease = new Lease(row.id(), run, rows.takeOverCreating(row.id(), me(), asksAgain));
    var grantee = grantee(agent, issuances.of(run));
    var ref = row.ref();
    return ref == null
        ? new Claim.Create(
            lease,
            grantee,
            backend,
            new SandboxKey(key),
            row.generation(),
            size,
            EgressRules.settled(reach),
            Occasion.ABANDONED,
            Receipt.textOf(row.resume()))
        : new Claim.Wake(lease, grantee, backend, ref, row.leftBy(), row.manifest());
  }

  private Claim wake(RunId run, WorkspaceRow row, LockedAgent agent) {
    var backend = row.backend();
    var ref = row.ref();
    if (backend == null || ref == null) {
      throw new IllegalStateException("workspace " + row.id() + " is held without a sandbox");
    }
    if (rows.liveOfAgentOf(run) >= agent.limit()) {
      return new Claim.LimitReached(agent.limit());
    }
    return new Claim.Wake(
        new Lease(row.id(), run, continuations.wake(row.id(), me())),
        grantee(agent.id(), issuances.of(run)),
        backend,
        ref,
        run,
        row.manifest());
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
