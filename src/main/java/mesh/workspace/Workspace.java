package mesh.workspace;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import mesh.execution.BackendException;
import mesh.execution.Capabilities;
import mesh.execution.Capability;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.tool.LiveOutput;
import mesh.tool.ToolRefusal;

/**
 * A run's hold on its sandbox: the only way to a command or a file. Every operation checks the
 * run's authority first, can be cancelled by the run's end while it runs, and lets nothing out that
 * was not redacted. Thread-safe.
 */
final class Workspace {

  private final Lease lease;
  private final Sandbox sandbox;
  private final Capabilities capabilities;
  private final WorkspaceRepository rows;
  private final InFlight inFlight;
  private final Artifacts artifacts;
  private final AtomicReference<String> notice;

  Workspace(
      Lease lease,
      Sandbox sandbox,
      Capabilities capabilities,
      String notice,
      WorkspaceRepository rows,
      InFlight inFlight,
      Artifacts artifacts) {
    this.lease = lease;
    this.sandbox = sandbox;
    this.capabilities = capabilities;
    this.rows = rows;
    this.inFlight = inFlight;
    this.artifacts = artifacts;
    this.notice = new AtomicReference<>(notice);
  }

  Lease lease() {
    return lease;
  }

  /** One sentence if the backend cannot do this; empty if it can. */
  Optional<ToolRefusal.NotPossible> lacks(Capability capability) {
    return capabilities.has(capability)
        ? Optional.empty()
        : Optional.of(
            new ToolRefusal.NotPossible(
                "tool_unavailable",
                "This workspace's runtime cannot do this. " + capability.withoutIt()));
  }

  SandboxPath project() {
    return sandbox.project();
  }

  SandboxPath home() {
    return sandbox.home();
  }

  /** What the agent should be told once about this sandbox; empty if nothing. */
  String takeNotice() {
    return notice.getAndSet("");
  }

  /**
   * Runs a command.
   *
   * @throws Superseded if this hold is not good any more
   */
  Executed exec(Command command, LiveOutput live) throws InterruptedException {
    authorize();
    var output = new CommandOutput(redactions(), artifacts.writer(lease.run()), live);
    try (var _ = inFlight.begin(lease.run())) {
      var outcome = sandbox.exec(command, output);
      output.end();
      return new Executed(outcome, output);
    } catch (BackendException.SandboxGone gone) {
      output.end();
      lost(gone);
      return new Executed(new Outcome.Unknown(redactions().apply(words(gone))), output, true);
    }
  }

  /** Reads a window of a file, redacted. */
  FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    authorize();
    try (var _ = inFlight.begin(lease.run())) {
      return sandbox.read(path, offset, maxBytes);
    } catch (BackendException.SandboxGone gone) {
      throw sandboxLost(gone);
    }
  }

  FileWrite write(SandboxPath path, byte[] content, FileMode mode) throws InterruptedException {
    authorize();
    try (var _ = inFlight.begin(lease.run())) {
      return sandbox.write(path, content, mode);
    } catch (BackendException.SandboxGone gone) {
      throw sandboxLost(gone);
    }
  }

  private void authorize() {
    if (!rows.holds(lease)) {
      throw new Superseded();
    }
  }

  /** No credential is delivered to a sandbox yet, so there is nothing to look for. */
  private Redactions redactions() {
    return Redactions.NONE;
  }

  private ToolRefusal sandboxLost(BackendException.SandboxGone gone) {
    lost(gone);
    return new ToolRefusal.TryLater(
        "sandbox_lost",
        "The sandbox is gone with its files ("
            + redactions().apply(words(gone))
            + "). Call again to get a new, empty one.",
        java.time.Duration.ZERO);
  }

  private void lost(BackendException.SandboxGone gone) {
    rows.lost(lease, "sandbox_lost: " + redactions().apply(words(gone)));
  }

  private static String words(BackendException exception) {
    return String.valueOf(exception.getMessage());
  }

  /** What became of a command, with its output. */
  record Executed(Outcome outcome, CommandOutput output, boolean sandboxLost) {
    Executed(Outcome outcome, CommandOutput output) {
      this(outcome, output, false);
    }
  }

  /** The row moved on: whoever needs the workspace must ask for it anew. */
  static final class Superseded extends RuntimeException {
    Superseded() {
      super("the hold on this workspace is not good any more", null, false, false);
    }
  }
}
