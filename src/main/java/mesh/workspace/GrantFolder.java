package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;

/**
 * Where grant files are in one sandbox: a folder for its user alone, with a part for each instance
 * of Mesh, and in it a file with a name that nobody can guess for each command, for as long as the
 * command has not begun. Thread-safe.
 */
final class GrantFolder {

  private static final SandboxPath ROOT = new SandboxPath("/");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int UNSAFE = 3;

  /** How long the parts of other instances are believed to be in use. */
  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  private final Sandbox sandbox;
  private final UUID instance;
  private final Supplier<List<UUID>> living;
  private final SecureRandom random;
  private final SandboxPath all;
  private final SandboxPath own;
  private final Set<SandboxPath> leftovers = ConcurrentHashMap.newKeySet();
  private boolean prepared;
  private long prepareAgainAt;

  /**
   * @param instance this instance of Mesh
   * @param living all instances that may be using the sandbox
   */
  GrantFolder(Sandbox sandbox, UUID instance, Supplier<List<UUID>> living, SecureRandom random) {
    this.sandbox = sandbox;
    this.instance = instance;
    this.living = living;
    this.random = random;
    this.all = folder(sandbox.home());
    this.own = all.resolve(instance.toString());
  }

  /** The folder of all instances in a home directory. */
  static SandboxPath folder(SandboxPath home) {
    return home.resolve(".mesh-grants");
  }

  /**
   * Writes a file that only its user can read, complete or not at all, and returns where it is.
   * Leftovers of earlier commands are removed first. The folder must have been prepared.
   *
   * @throws Unsafe if a program in the sandbox has put something in the way
   */
  SandboxPath write(byte[] content) throws InterruptedException {
    removeLeftovers();
    var path = own.resolve(name());
    try {
      if (sandbox.write(path, content, FileMode.PRIVATE) instanceof FileWrite.Refused) {
        throw new Unsafe();
      }
      return path;
    } catch (InterruptedException | RuntimeException unclear) {
      leftovers.add(path);
      throw unclear;
    }
  }

  /** As {@link #withdraw}, but later: who calls is to end now. */
  void leave(SandboxPath path) {
    leftovers.add(path);
  }

  /**
   * A command that was to take its file did not, or nobody knows: removes the file now if that can
   * be done, else before anything is written next, or with the sandbox.
   */
  void withdraw(SandboxPath path) throws InterruptedException {
    leftovers.add(path);
    try {
      removeLeftovers();
    } catch (BackendException trouble) {
      // It stays a leftover.
    }
  }

  /** Makes the folder, and removes what instances left that are no more. */
  synchronized void prepare() throws InterruptedException {
    if (prepared && (prepareAgainAt == 0 || System.nanoTime() < prepareAgainAt)) {
      return;
    }
    var argv =
        new ArrayList<>(
            List.of(
                "/bin/sh",
                "-c",
                SandboxScript.FOLDER.text(),
                "mesh",
                all.value(),
                instance.toString(),
                sandbox.project().value()));
    living.get().forEach(one -> argv.add(one.toString()));
    var said = new ByteArrayOutputStream();
    int code = run(argv, said);
    if (code == UNSAFE) {
      throw new Unsafe();
    }
    if (code != 0) {
      throw new BackendException.Unexpected("the folder for grants could not be made", null);
    }
    boolean othersLeft = !said.toString(UTF_8).strip().equals("0");
    prepareAgainAt = othersLeft ? System.nanoTime() + REMEMBERED.toNanos() : 0;
    prepared = true;
  }

  private void removeLeftovers() throws InterruptedException {
    var paths = List.copyOf(leftovers);
    if (paths.isEmpty()) {
      return;
    }
    var argv = new ArrayList<>(List.of("rm", "-f", "--"));
    paths.forEach(path -> argv.add(path.value()));
    if (run(argv, new ByteArrayOutputStream()) == 0) {
      paths.forEach(leftovers::remove);
    }
  }

  private int run(List<String> argv, ByteArrayOutputStream said) throws InterruptedException {
    var outcome =
        sandbox.exec(
            Command.of(argv, ROOT, PATIENCE),
            (channel, bytes) -> {
              if (channel == Channel.STDOUT && said.size() < 1024) {
                var piece = new byte[Math.min(bytes.remaining(), 1024)];
                bytes.get(piece);
                said.writeBytes(piece);
              }
            });
    return outcome instanceof Outcome.Exited(var code, _) ? code : -1;
  }

  private String name() {
    var bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** What is to hold a grant is not as it must be, and it was not Mesh who changed it. */
  static final class Unsafe extends RuntimeException {
    Unsafe() {
      super("the folder for grants was tampered with", null, false, false);
    }
  }
}
