package mesh.fault;

import java.util.ServiceLoader;

/**
 * A moment between two effects of which the first may survive a crash without the second. Code
 * calls {@link #hit} there. This build has nobody who listens; a test puts a {@link Listener} on
 * the class path of the process that it means to kill.
 *
 * <p>The names in brackets are those of the fault plan: A acquisition, E execution, R release, V
 * revocation.
 */
public enum FaultPoint {
  /** A1: a run reaches for its workspace; its row is not committed as being made. */
  CLAIM_OPEN,
  /** A2: the row is committed; no vendor was asked. */
  CLAIM_COMMITTED,
  /** A5: the vendor answered; the row does not have the answer. */
  SANDBOX_UNRECORDED,
  /** A6: the row has the sandbox; nothing was delivered into it. */
  SANDBOX_RECORDED,
  /** A7: the right to deliver is held; nothing was written. */
  DELIVERY_LOCKED,
  /** A8: a grant was written; the database does not know. */
  DELIVERY_WRITTEN,
  /** A9: the workspace is at hand; its first operation has not begun. */
  WORKSPACE_READY,
  /** E1: everything for a command is in place; it was not started. */
  COMMAND_PREPARED,
  /** E2: the command runs and has printed something. */
  COMMAND_RUNNING,
  /** E3: the command ended; nothing of it was cleared away or recorded. */
  COMMAND_ENDED,
  /** The model has replied; nobody knows but this instance. */
  REPLY_UNRECORDED,
  /** A reply is committed; none of its calls has begun. */
  REPLY_COMMITTED,
  /** A call is about to be committed as started. */
  CALL_CHOSEN,
  /** What became of a call is committed. */
  CALL_COMMITTED,
  /** R1: the run's end is committed; nobody was told. */
  RUN_END_COMMITTED,
  /** R2: a release is claimed; no vendor was asked. */
  RELEASE_CLAIMED,
  /** R4: the vendor confirmed; the row does not know. */
  RELEASE_UNRECORDED,
  /** A sandbox was found out of any row and is about to be destroyed. */
  ORPHAN_FOUND,
  /** A kept sandbox passed to another run; it was not woken. */
  CONTINUATION_COMMITTED,
  /** A kept sandbox is awake; the row does not know. */
  WAKE_UNRECORDED,
  /** V1: a revocation is about to be committed. */
  REVOCATION_OPEN,
  /** V2: a revocation is committed; writers of grants were not waited for. */
  REVOCATION_COMMITTED,
  /** V3: writers of grants were waited for; nobody was answered. */
  REVOCATION_DRAINED;

  private static final Listener LISTENER =
      ServiceLoader.load(Listener.class).findFirst().orElse(_ -> {});

  /** Says that this moment has come. */
  public void hit() {
    LISTENER.reached(this);
  }

  /** What a test does with such a moment, on the thread that reached it. */
  public interface Listener {
    void reached(FaultPoint point);
  }
}
