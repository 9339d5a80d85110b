package mesh.execution.sprites;

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

/** One sprite, by its name. */
final class Sprite implements Sandbox {

  private static final SandboxPath HOME = new SandboxPath("/home/sprite");
  private static final SandboxPath PROJECT = HOME.resolve("project");
  private static final Duration READY = Duration.ofSeconds(60);

  private final String name;
  private final Commands commands;
  private final SpriteFiles files;

  Sprite(String name, Commands commands) {
    this.name = name;
    this.commands = commands;
    this.files = new SpriteFiles(name, commands, PROJECT);
  }

  /** Sees that commands run and the project directory exists. */
  void makeReady() throws InterruptedException {
    var argv = List.of("mkdir", "-p", "--", PROJECT.value());
    files.runToEnd(Command.of(argv, new SandboxPath("/"), READY), new byte[0], 0);
  }

  /** Ends everything that runs. */
  void clear() throws InterruptedException {
    var argv = List.of("sh", "-c", Script.CLEAR.text(), "mesh-clear");
    var done = files.runToEnd(Command.of(argv, new SandboxPath("/"), READY), new byte[0], 0);
    if (done.code() != 0) {
      throw new BackendException.Unavailable(
          "processes in the sprite " + name + " did not end", Duration.ZERO, null);
    }
  }

  @Override
  public ExternalRef ref() {
    return ExternalRef.of(name);
  }

  @Override
  public SandboxPath project() {
    return PROJECT;
  }

  @Override
  public SandboxPath home() {
    return HOME;
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
