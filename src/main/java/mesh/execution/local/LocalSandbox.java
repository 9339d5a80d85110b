package mesh.execution.local;

import java.util.function.Supplier;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;

/** One directory as a sandbox. Its paths are those of the host. */
final class LocalSandbox implements Sandbox {

  private final SandboxFolder folder;
  private final Supplier<Execution> executions;

  LocalSandbox(SandboxFolder folder, Supplier<Execution> executions) {
    this.folder = folder;
    this.executions = executions;
  }

  @Override
  public ExternalRef ref() {
    return ExternalRef.of(folder.key().value());
  }

  @Override
  public SandboxPath project() {
    return new SandboxPath(folder.project().toString());
  }

  @Override
  public SandboxPath home() {
    return new SandboxPath(folder.home().toString());
  }

  @Override
  public Outcome exec(Command command, OutputSink sink) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted before the command started");
    }
    folder.check();
    return executions.get().run(command, sink);
  }

  @Override
  public FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    if (offset < 0 || maxBytes < 1 || maxBytes > FileRead.MAX_BYTES) {
      throw new IllegalArgumentException("no such page: " + maxBytes + " bytes from " + offset);
    }
    folder.check();
    return new ProjectFiles(folder.project()).read(HostText.path(path.value()), offset, maxBytes);
  }

  @Override
  public FileWrite write(SandboxPath path, byte[] content, FileMode mode)
      throws InterruptedException {
    folder.check();
    return new ProjectFiles(folder.project()).write(HostText.path(path.value()), content, mode);
  }
}
