package mesh.workspace;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import mesh.execution.BackendException;
import mesh.execution.FileMode;
import mesh.execution.FileWrite;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.redaction.Redactions;
import mesh.tool.ToolRefusal;

/**
 * What a {@link Workspace} does in its sandbox other than run an agent's command: under the run's
 * authority, counted, and redacted. Thread-safe.
 */
final class WorkspaceFiles {

  private final Hold hold;
  private final Sandbox sandbox;
  private final AuthorityGuard guard;
  private final WorkspaceContext context;
  private final Loss loss;
  private final ReentrantLock changes = new ReentrantLock();

  WorkspaceFiles(
      Hold hold, Sandbox sandbox, AuthorityGuard guard, WorkspaceContext context, Loss loss) {
    this.hold = hold;
    this.sandbox = sandbox;
    this.guard = guard;
    this.context = context;
    this.loss = loss;
  }

  /** Puts on record that the sandbox is gone, and says so. */
  interface Loss {
    ToolRefusal of(BackendException.SandboxGone gone) throws InterruptedException;
  }

  /** Reads a window of a file, redacted as it would be in the whole file. */
  WindowRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    return staged(
        "mesh.workspace.read",
        WorkspaceFiles::word,
        (it, redactions) -> {
          var window = FileWindow.read(it, path, offset, maxBytes, redactions);
          if (window instanceof WindowRead.Content content) {
            context.stages().redacted(content.redactions());
          }
          return window;
        });
  }

  private static String word(WindowRead read) {
    return switch (read) {
      case WindowRead.Content _ -> "read";
      case WindowRead.Absent _ -> "absent";
      case WindowRead.Refused _ -> "not_readable";
    };
  }

  FileWrite write(SandboxPath path, byte[] content, FileMode mode) throws InterruptedException {
    return alone(() ->
        staged(
            "mesh.workspace.write",
            written -> written instanceof FileWrite.Written ? "written" : "not_writable",
            (it, _) -> it.write(path, content, mode)));
  }

  /** As {@link #within}, one after another, so that none changes a file another is changing. */
  <T> T changing(Inside<T> use) throws InterruptedException {
    return alone(() -> within(use));
  }

  private <T> T alone(Change<T> change) throws InterruptedException {
    changes.lockInterruptibly();
    try {
      return change.make();
    } finally {
      changes.unlock();
    }
  }

  private interface Change<T> {
    T make() throws InterruptedException;
  }

  /**
   * Does something in the sandbox other than run an agent's command.
   *
   * @param use lets out nothing that the redactions were not applied to
   */
  <T> T within(Inside<T> use) throws InterruptedException {
    return staged("mesh.workspace.use", _ -> "used", use);
  }

  private <T> T staged(String name, Function<T, String> word, Inside<T> use)
      throws InterruptedException {
    return context
        .stages()
        .of(
            name,
            hold.lease(),
            word,
            () ->
                guard.run(_ -> {
                  try {
                    return use.in(sandbox, context.secrets().of(hold.lease().run()));
                  } catch (BackendException.SandboxGone gone) {
                    throw loss.of(gone);
                  }
                }));
  }

  /** What is done in a sandbox. */
  interface Inside<T> {
    T in(Sandbox sandbox, Redactions redactions) throws InterruptedException;
  }
}
