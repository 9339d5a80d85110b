package mesh.execution.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import mesh.execution.Command;
import mesh.execution.FileRead;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A local sandbox for each test, under a root that holds nothing else. */
final class OwnSandbox implements AfterEachCallback {

  static final InstallationId HERE = new InstallationId("0123456789");
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final SandboxSpec spec =
      SandboxSpec.of(HERE, UUID.randomUUID(), 1, Size.SMALL, Duration.ofHours(1));
  private final Path above = temporaryDirectory();
  private final Path root = above.resolve("made/later");
  private final LocalBackend backend;
  private final Sandbox sandbox;

  OwnSandbox() {
    this(MemorySizes.USUAL, () -> 0);
  }

  /**
   * @param kernelKills what the kernel is made to say
   */
  OwnSandbox(MemorySizes sizes, LongSupplier kernelKills) {
    backend = new LocalBackend(root, sizes, kernelKills);
    sandbox = acquired(backend, spec);
  }

  private static Sandbox acquired(LocalBackend backend, SandboxSpec spec) {
    try {
      return backend.acquire(spec);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("local").toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    backend.destroy(sandbox.ref());
    backend.close();
    Deletion.of(above);
  }

  SandboxSpec spec() {
    return spec;
  }

  Path root() {
    return root;
  }

  LocalBackend backend() {
    return backend;
  }

  Sandbox sandbox() {
    return sandbox;
  }

  SandboxPath path(String name) {
    return sandbox.project().resolve(name);
  }

  /** As {@link #path}, for the host, which is the same place. */
  Path host(String name) {
    return Path.of(path(name).value());
  }

  Command command(String... argv) {
    return Command.of(List.of(argv), sandbox.project(), PATIENCE);
  }

  Outcome exec(String script, Duration timeout) throws InterruptedException {
    var command = Command.of(List.of("sh", "-c", script), sandbox.project(), timeout);
    return sandbox.exec(command, (_, _) -> {});
  }

  /** A command's output. */
  String run(String... argv) throws InterruptedException {
    var out = new ByteArrayOutputStream();
    sandbox.exec(
        command(argv),
        (_, bytes) -> {
          while (bytes.hasRemaining()) {
            out.write(bytes.get());
          }
        });
    return out.toString(UTF_8);
  }

  /** What a command wrote to a file of that name. */
  long pid() throws InterruptedException {
    var content = (FileRead.Content) sandbox.read(path("pid"), 0, 20);
    return Long.parseLong(new String(content.bytes(), UTF_8).strip());
  }

  /** Whether a process goes on living. A zombie, which only its parent can reap, does not. */
  boolean isAlive(long pid) {
    var deadline = System.nanoTime() + Duration.ofMillis(300).toNanos();
    while (System.nanoTime() < deadline) {
      if (!isRunning(pid)) {
        return false;
      }
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
    return true;
  }

  private static boolean isRunning(long pid) {
    try {
      return Files.readString(Path.of("/proc/" + pid + "/stat")).matches("(?s).*\\) [^ZX] .*");
    } catch (IOException _) {
      return false;
    }
  }
}
