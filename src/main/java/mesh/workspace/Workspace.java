package mesh.workspace;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import mesh.execution.BackendException;
import mesh.execution.Capabilities;
import mesh.execution.Capability;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.fault.FaultPoint;
import mesh.redaction.Redactions;
import mesh.secret.Secret;
import mesh.tool.LiveOutput;
import mesh.tool.ToolRefusal;
import mesh.workspace.InFlight.Operation;

/**
 * A run's hold on its sandbox: the only way to a command or a file. Every operation has the run's
 * authority confirmed first and while it goes on, ends when that ends, and lets nothing out that
 * was not redacted. Thread-safe.
 */
final class Workspace {

  private final Hold hold;
  private final Sandbox sandbox;
  private final Capabilities capabilities;
  private final WorkspaceContext context;
  private final AuthorityGuard guard;
  private final GrantFolder grants;
  private final boolean isAttached;
  private final AtomicReference<String> notice;
  private final WorkspaceFiles files;

  private Workspace(
      Hold hold, Sandbox sandbox, boolean isAttached, String notice, WorkspaceContext context) {
    this.hold = hold;
    this.sandbox = sandbox;
    this.capabilities = Capabilities.of(hold.backend());
    this.context = context;
    this.guard = new AuthorityGuard(hold, context);
    this.grants = context.grants().folder(sandbox);
    this.isAttached = isAttached;
    this.notice = new AtomicReference<>(notice);
    this.files = new WorkspaceFiles(hold, sandbox, guard, context, this::sandboxLost);
  }

  /**
   * A hold on a sandbox that was just made.
   *
   * @param notice what the agent should be told about it; empty if nothing
   */
  static Workspace made(Hold hold, Sandbox sandbox, String notice, WorkspaceContext context) {
    return new Workspace(hold, sandbox, false, notice, context);
  }

  /** As {@link #made}, of one that others have used before it slept. */
  static Workspace resumed(Hold hold, Sandbox sandbox, String notice, WorkspaceContext context) {
    return new Workspace(hold, sandbox, true, notice, context);
  }

  /** A hold on a sandbox that others have used, and may have died in the middle of it. */
  static Workspace attached(Hold hold, Sandbox sandbox, WorkspaceContext context) {
    return new Workspace(hold, sandbox, true, "", context);
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
   * Runs a command with what the run was issued, and with {@code vault} values, which it gets for
   * itself alone.
   *
   * @param vault by the names of their entries
   * @throws Superseded if this hold is not good any more
   */
  Executed exec(Command command, Map<String, Secret> vault, LiveOutput live)
      throws InterruptedException {
    return context
        .stages()
        .of(
            "mesh.workspace.exec",
            hold.lease(),
            executed ->
                executed.sandboxLost() ? "sandbox_lost" : VendorCalls.word(executed.outcome()),
            () -> guarded(command, vault, live));
  }

  private Executed guarded(Command command, Map<String, Secret> vault, LiveOutput live)
      throws InterruptedException {
    return guard.run(operation -> {
      try {
        return exec(command, vault, live, operation);
      } catch (BackendException.SandboxGone gone) {
        // Before the command was begun, which would have told it as an outcome.
        throw sandboxLost(gone);
      }
    });
  }

  private Executed exec(
      Command command, Map<String, Secret> vault, LiveOutput live, Operation operation)
      throws InterruptedException {
    if (isAttached && capabilities.has(Capability.SHELL)) {
      // What a dead instance was about to deliver is not for this command.
      grants.prepare();
    }
    // Before it is anywhere, and for good: later commands may find it in a file.
    var _ = context.secrets().learn(hold.lease().run(), vault.values());
    var grant = context.grants().deliver(hold, grants, vault);
    if (grant.isPresent()) {
      confirmAfter(grant.get(), operation);
    }
    var redactions = context.secrets().during(hold.lease().run(), vault.values());
    var output =
        new CommandOutput(redactions, context.artifacts().writer(hold.lease().run()), live);
    FaultPoint.COMMAND_PREPARED.hit();
    return grant.isPresent()
        ? granted(grant.get(), command, output, redactions)
        : plain(command, output, redactions);
  }

  /** What was written counts only if nothing changed until it was there. */
  private void confirmAfter(Grant grant, Operation operation) throws InterruptedException {
    try {
      operation.confirmed(context.authority().confirm(hold.lease()));
    } catch (Superseded moved) {
      // The sandbox may live on in another hold; where authority went, it is destroyed.
      grants.withdraw(grant.file());
      throw moved;
    }
  }

  private Executed plain(Command command, CommandOutput output, Redactions redactions)
      throws InterruptedException {
    try {
      return ended(sandbox.exec(command, output), output);
    } catch (BackendException.SandboxGone gone) {
      return gone(gone, output, redactions);
    }
  }

  private Executed granted(
      Grant grant, Command command, CommandOutput output, Redactions redactions)
      throws InterruptedException {
    var listener = grant.listen(output);
    var taken = false;
    try {
      var outcome = sandbox.exec(grant.wrap(command), listener);
      var refusal = listener.refusal(outcome);
      if (refusal.isPresent()) {
        throw notGranted(refusal.get());
      }
      taken = outcome instanceof Outcome.Exited || outcome instanceof Outcome.Signalled;
      return ended(outcome, output);
    } catch (BackendException.SandboxGone gone) {
      taken = true;
      return gone(gone, output, redactions);
    } catch (InterruptedException ended) {
      taken = true;
      grants.leave(grant.file());
      throw ended;
    } finally {
      if (!taken) {
        grants.withdraw(grant.file());
      }
    }
  }

  private ToolRefusal notGranted(String why) {
    if (why.equals("replaced")) {
      throw new GrantFolder.Unsafe();
    }
    return new ToolRefusal.TryLater(
        "grant_" + why,
        "The command was not run: the file with its credentials was %s in the sandbox. Call again."
            .formatted(why.equals("kept") ? "impossible to remove" : why),
        Duration.ZERO);
  }

  private Executed ended(Outcome outcome, CommandOutput output) {
    FaultPoint.COMMAND_ENDED.hit();
    if (outcome instanceof Outcome.Exited || outcome instanceof Outcome.Signalled) {
      output.end();
    } else {
      output.cut();
    }
    context.stages().redacted(output.redactions());
    return new Executed(
        outcome,
        output,
        outcome instanceof Outcome.OutOfMemory ? context.sizes().climb(hold) : "",
        false);
  }

  private Executed gone(
      BackendException.SandboxGone gone, CommandOutput output, Redactions redactions)
      throws InterruptedException {
    output.cut();
    guard.demandThatItWasNotTakenAway();
    lost(gone);
    return new Executed(new Outcome.Unknown(redactions.apply(words(gone))), output, "", true);
  }

  /** Reads a window of a file, redacted as it would be in the whole file. */
  WindowRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    return files.read(path, offset, maxBytes);
  }

  FileWrite write(SandboxPath path, byte[] content, FileMode mode) throws InterruptedException {
    return files.write(path, content, mode);
  }

  /** As {@link #within}, one after another, so that none changes a file another is changing. */
  <T> T changing(WorkspaceFiles.Inside<T> use) throws InterruptedException {
    return files.changing(use);
  }

  /**
   * Does something in the sandbox other than run an agent's command.
   *
   * @param use lets out nothing that the redactions were not applied to
   */
  <T> T within(WorkspaceFiles.Inside<T> use) throws InterruptedException {
    return files.within(use);
  }

  private ToolRefusal sandboxLost(BackendException.SandboxGone gone) throws InterruptedException {
    guard.demandThatItWasNotTakenAway();
    lost(gone);
    return new ToolRefusal.TryLater(
        "sandbox_lost",
        "The sandbox is gone with its files ("
            + words(gone)
            + "). Call again to get a new, empty one.",
        Duration.ZERO);
  }

  private void lost(BackendException.SandboxGone gone) {
    var redactions = context.secrets().of(hold.lease().run());
    context.rows().lost(hold.lease(), "sandbox_lost: " + redactions.apply(words(gone)));
  }

  private static String words(BackendException exception) {
    return String.valueOf(exception.getMessage());
  }

  /**
   * What became of a command, with its output.
   *
   * @param told what the agent is to be told of the sandbox; empty if nothing
   */
  record Executed(Outcome outcome, CommandOutput output, String told, boolean sandboxLost) {}

  /** The row moved on: whoever needs the workspace must ask for it anew. */
  static final class Superseded extends RuntimeException {
    Superseded() {
      super("the hold on this workspace is not good any more", null, false, false);
    }
  }
}
