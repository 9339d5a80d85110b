package mesh.history;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened, by the one clock of the machine. Sandboxes go by their names at the
 * vendor, which are the keys of rows; credentials by labels, never by their values.
 */
public sealed interface Event {

  Instant at();

  /**
   * The vendor is about to make a sandbox.
   *
   * @param rowCommitted whether another connection saw a row with its name at this moment
   */
  record Created(Instant at, String sandbox, boolean rowCommitted) implements Event {}

  /** The vendor counts it as running from now on. */
  record Woke(Instant at, String sandbox) implements Event {}

  /** Nothing of it runs any more. */
  record Slept(Instant at, String sandbox) implements Event {}

  record Destroyed(Instant at, String sandbox) implements Event {}

  record Began(Instant at, String sandbox, String command) implements Event {}

  record Ended(Instant at, String sandbox, String command) implements Event {}

  /** A credential was sent to a command's input, so that command writes it. */
  record Wrote(Instant at, String sandbox, String command, String credential) implements Event {}

  /**
   * A row of a workspace changed, as a trigger saw it within the transaction.
   *
   * @param key the sandbox that the row names; null if none
   * @param afterwards what becomes of it when its release is confirmed
   */
  record RowChanged(
      Instant at,
      UUID workspace,
      UUID run,
      String state,
      @Nullable String key,
      String afterwards,
      @Nullable String reason)
      implements Event {

    boolean is(String... states) {
      return java.util.List.of(states).contains(state);
    }
  }

  /** A permission's revision rose, as a trigger saw it. */
  record PermissionChanged(Instant at, UUID agent, String provider, long revision)
      implements Event {}

  /**
   * What a client asked and was answered.
   *
   * @param at when it asked
   * @param subject the run, or the agent of a decision about credentials
   * @param provider of a decision; empty else
   * @param answered null if the answer was lost: then nobody knows whether it was done
   * @param status the HTTP status; 0 if the answer was lost
   * @param revision that a decision led to; 0 else
   */
  record Called(
      Instant at,
      What what,
      UUID subject,
      String provider,
      @Nullable Instant answered,
      int status,
      long revision)
      implements Event {

    boolean succeeded() {
      return status >= 200 && status < 300;
    }
  }

  /** What a client may ask. */
  enum What {
    RUN_STARTED,
    EXECUTED,
    RUN_ENDED,
    /** Every older write of a credential is waited for, unless it is answered 202. */
    CREDENTIAL_SET,
    FORBIDDEN,
    PERMITTED
  }

  /** A server was ended without warning. */
  record Killed(Instant at, String server) implements Event {}

  /** The test itself made a sandbox that no row names. */
  record Planted(Instant at, String sandbox) implements Event {}

  /** The test itself gave an agent a credential. */
  record Known(Instant at, UUID agent, String provider, String credential) implements Event {}
}
