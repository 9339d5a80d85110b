package mesh.execution.remote;

import java.time.Duration;
import java.util.List;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;

/** A sandbox at a vendor, with all that the contract asks of one, by means of commands alone. */
public final class RemoteSandbox implements Sandbox {

  private static final SandboxPath ROOT = new SandboxPath("/");
  private static final Duration READY = Duration.ofSeconds(60);

  private final ExternalRef ref;
  private final String name;
  private final SandboxPath home;
  private final SandboxPath project;
  private final Commands commands;
  private final SandboxFiles files;

  /**
   * @param name as {@link Exec} takes it
   */
  public RemoteSandbox(
      ExternalRef ref, String name, SandboxPath home, SandboxPath project, Commands commands) {
    this.ref = ref;
    this.name = name;
    this.home = home;
    this.project = project;
    this.commands = commands;
    this.files = new SandboxFiles(name, commands, project);
  }

  /** Sees that commands run and the project directory exists. Idempotent. */
  public void makeReady() throws InterruptedException {
    var argv = List.of("mkdir", "-p", "--", project.value());
    var done = files.runToEnd(Command.of(argv, ROOT, READY), new byte[0], 0);
    if (done.code() != 0) {
      throw new BackendException.Rejected(
          "the directory %s cannot be made in a %s: %s"
              .formatted(project.value(), commands.dialect().sandbox(), done.said().strip()),
          null);
    }
  }

  /**
   * Ends everything that runs. Idempotent.
   *
   * @throws BackendException.Unavailable if something goes on running
   */
  public void clear() throws InterruptedException {
    var argv = List.of("sh", "-c", Script.CLEAR.text(), "mesh-clear");
    var done = files.runToEnd(Command.of(argv, ROOT, READY), new byte[0], 0);
    if (done.code() != 0) {
      throw new BackendException.Unavailable(
          "processes in the %s %s did not end".formatted(commands.dialect().sandbox(), name),
          Duration.ZERO,
          null);
    }
  }

  @Override
  public ExternalRef ref() {
    return ref;
  }

  @Override
  public SandboxPath project() {
    return project;
  }

  @Override
  public SandboxPath home() {
    return home;
  }

  @Override
  public Outcome exec(Command command, OutputSink sink) throws InterruptedException {
    return commands.run(name, command, command.stdin(), sink);
  }

  @Override
  public FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
    return files.read(path, offset, maxBytes);
  }

  @Override
  public FileWrite write(SandboxPath path, byte[] content, FileMode mode)
      throws InterruptedException {
    return files.write(path, content, mode);
  }
}
