package mesh.workspace;

import java.util.Set;
import mesh.agent.AgentId;
import mesh.credential.Provider;
import mesh.execution.ExternalRef;
import mesh.execution.SandboxKey;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;

/** What the rows say about how a run gets at its sandbox. */
sealed interface Claim {

  /**
   * The caller makes the sandbox, and nobody else does while the fence holds.
   *
   * @param egress where its code may connect
   * @param occasion why there is none yet
   * @param told what the run is to be told about it; empty if nothing
   */
  record Create(
      Lease lease,
      Grantee grantee,
      BackendName backend,
      SandboxKey key,
      int generation,
      Size size,
      Egress egress,
      Occasion occasion,
      String told)
      implements Claim {}

  /** Why a sandbox is to be made. */
  enum Occasion {
    /** The run never had one. */
    FIRST,
    /** It had one, which is gone. */
    REPLACED,
    /** Somebody began to make one and did not come to the end: there may be one. */
    ABANDONED
  }

  /**
   * The caller wakes a sandbox that was kept, and nobody else does while the fence holds.
   *
   * @param from the run that left it, which may be the same
   * @param manifest what lay in it then, as JSON; null if nobody could look
   */
  record Wake(
      Lease lease,
      Grantee grantee,
      BackendName backend,
      ExternalRef ref,
      RunId from,
      @Nullable String manifest)
      implements Claim {}

  /** It is ready. */
  record Attach(Lease lease, Grantee grantee, BackendName backend, ExternalRef ref)
      implements Claim {}

  /** What the run was issued has been changed since: it gets no sandbox any more. */
  record Outdated() implements Claim {}

  /**
   * Who gets credentials, and which.
   *
   * @param issued the providers for which the run was issued one
   */
  record Grantee(AgentId agent, Set<Provider> issued) {}

  /** Another is at it: making it, or putting away what it replaces. */
  record Wait() implements Claim {}

  /** The agent has as many workspaces as it may. */
  record LimitReached(int limit) implements Claim {}

  record RunOver() implements Claim {}

  /**
   * It was released or is on its way.
   *
   * @param reason why, in the words of the row
   */
  record Over(WorkspaceState state, String reason) implements Claim {}
}
