package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The backend under test, the sandbox that most tests share, and short ways to use them. */
final class Laboratory {

  /** Long enough for a remote vendor, short enough to notice a hang. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Supplier<Backend> opener;
  private final InstallationId installation = madeUpInstallation();
  private final AtomicInteger folders = new AtomicInteger();
  private final Deque<Backend> opened = new ArrayDeque<>();
  private @Nullable Sandbox shared;

  Laboratory(Supplier<Backend> opener) {
    this.opener = opener;
  }

  static InstallationId madeUpInstallation() {
    var digits = new StringBuilder();
    new SecureRandom()
        .ints(10, 0, 36)
        .forEach(digit -> digits.append(Character.forDigit(digit, 36)));
    return new InstallationId(digits.toString());
  }

  InstallationId installation() {
    return installation;
  }

  synchronized Backend backend() {
    return opened.isEmpty() ? another() : opened.getFirst();
  }

  /** A further instance on the same account, as another instance of Mesh would have. */
  synchronized Backend another() {
    var backend = opener.get();
    opened.addLast(backend);
    return backend;
  }

  SandboxSpec newSpec() {
    return newSpec(Size.SMALL);
  }

  SandboxSpec newSpec(Size size) {
    return SandboxSpec.of(installation, UUID.randomUUID(), 1, size, Duration.ofHours(1));
  }

  /** The sandbox that tests share; each works in its own {@link #folder()}. */
  synchronized Sandbox sandbox() throws InterruptedException {
    if (shared == null) {
      shared = backend().acquire(newSpec());
    }
    return shared;
  }

  /** A new, empty directory in the shared sandbox's project. */
  SandboxPath folder() throws InterruptedException {
    var folder = sandbox().project().resolve("test-" + folders.incrementAndGet());
    assertThat(run("mkdir", folder.value()).outcome()).isEqualTo(new Outcome.Exited(0, 0));
    return folder;
  }

  /** Runs a command in the shared sandbox's project. */
  Transcript run(String... argv) throws InterruptedException {
    return run(Command.of(List.of(argv), sandbox().project(), PATIENCE));
  }

  Transcript run(Command command) throws InterruptedException {
    return Transcript.of(sandbox(), command);
  }

  /** Runs a script in the shared sandbox's project. */
  Transcript shell(String script) throws InterruptedException {
    return run("sh", "-c", script);
  }

  Transcript shell(SandboxPath directory, String script) throws InterruptedException {
    return run(script(directory, script, PATIENCE));
  }

  static Command script(SandboxPath directory, String script, Duration timeout) {
    return Command.of(List.of("sh", "-c", script), directory, timeout);
  }

  FileWrite write(SandboxPath path, byte[] content) throws InterruptedException {
    return sandbox().write(path, content, FileMode.KEEP);
  }

  /** The whole of a file that one read can hold. */
  byte[] content(SandboxPath path) throws InterruptedException {
    return contentOf(sandbox(), path);
  }

  static byte[] contentOf(Sandbox sandbox, SandboxPath path) throws InterruptedException {
    var read = sandbox.read(path, 0, FileRead.MAX_BYTES);
    assertThat(read).isInstanceOf(FileRead.Content.class);
    return ((FileRead.Content) read).bytes();
  }

  /** Ends a sandbox with its files, also where a release would keep them. */
  void destroy(ExternalRef ref) throws InterruptedException {
    if (backend() instanceof Hibernator hibernator) {
      hibernator.destroy(ref);
    } else {
      assertThat(backend().release(ref)).isEqualTo(Release.DESTROYED);
    }
  }

  static void await(String what, BooleanSupplier condition) {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("time to await that " + what).isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  /** Releases whatever was acquired and closes whatever was opened. */
  synchronized void close() throws InterruptedException {
    try {
      if (shared != null) {
        destroy(shared.ref());
      }
      if (!opened.isEmpty()) {
        for (var left : backend().list(installation).entries()) {
          destroy(left.ref());
        }
      }
    } finally {
      opened.forEach(Backend::close);
    }
  }
}
