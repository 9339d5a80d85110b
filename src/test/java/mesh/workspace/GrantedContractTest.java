package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.BesideOthers;
import mesh.credential.Provider;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.local.LocalBackends;
import mesh.secret.Secret;
import org.junit.jupiter.api.io.TempDir;

/** A command with a grant is promised all that one without it is. */
@BesideOthers
class GrantedContractTest extends BackendContract {

  private static final UUID INSTANCE = UUID.fromString("00000000-0000-7000-8000-000000000001");

  @TempDir static Path root;

  private static final AtomicInteger granted = new AtomicInteger();

  @Override
  protected Backend backend() {
    return new Granting(LocalBackends.in(root));
  }

  @Override
  protected void finish() {
    assertThat(granted.get()).as("commands with a grant").isGreaterThan(100);
    System.out.printf("the contract held for %s commands with a grant%n", granted);
  }

  /** Gives every command of its sandboxes a grant. */
  private static final class Granting implements Backend, Hibernator {

    private final Backend backend;
    private final Map<ExternalRef, GrantFolder> folders = new ConcurrentHashMap<>();
    private final SecureRandom random = new SecureRandom();

    Granting(Backend backend) {
      this.backend = backend;
    }

    @Override
    public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
      return granting(backend.acquire(spec));
    }

    @Override
    public Sandbox attach(ExternalRef ref) throws InterruptedException {
      return granting(backend.attach(ref));
    }

    @Override
    public Release release(ExternalRef ref) throws InterruptedException {
      return backend.release(ref);
    }

    @Override
    public Sandbox wake(ExternalRef ref) throws InterruptedException {
      return granting(((Hibernator) backend).wake(ref));
    }

    @Override
    public void destroy(ExternalRef ref) throws InterruptedException {
      ((Hibernator) backend).destroy(ref);
    }

    @Override
    public Inventory list(InstallationId installation) throws InterruptedException {
      return backend.list(installation);
    }

    @Override
    public void close() {
      backend.close();
    }

    private Sandbox granting(Sandbox sandbox) {
      var folder =
          folders.computeIfAbsent(
              sandbox.ref(),
              _ -> new GrantFolder(sandbox, INSTANCE, () -> List.of(INSTANCE), random));
      return new GrantedSandbox(sandbox, folder, random);
    }
  }

  private static final class GrantedSandbox implements Sandbox {

    private final Sandbox sandbox;
    private final GrantFolder folder;
    private final SecureRandom random;

    GrantedSandbox(Sandbox sandbox, GrantFolder folder, SecureRandom random) {
      this.sandbox = sandbox;
      this.folder = folder;
      this.random = random;
    }

    @Override
    public Outcome exec(Command command, OutputSink sink) throws InterruptedException {
      folder.prepare();
      var bytes = new byte[16];
      random.nextBytes(bytes);
      var token = HexFormat.of().formatHex(bytes);
      var file =
          folder.write(
              GrantFile.content(
                  token,
                  Map.of(
                      Provider.GITHUB, Secret.of("ghp_granted"),
                      Provider.GITLAB, Secret.of("glpat-granted")),
                  Map.of("key", Secret.of("it's\na value\n"))));
      var grant = new Grant(file, token);
      var listener = grant.listen(sink);
      Outcome outcome;
      try {
        outcome = sandbox.exec(grant.wrap(command), listener);
      } catch (InterruptedException | RuntimeException | Error e) {
        folder.leave(file);
        throw e;
      }
      assertThat(listener.refusal(outcome)).isEmpty();
      if (outcome instanceof Outcome.NoSuchDirectory) {
        folder.withdraw(file);
      }
      granted.incrementAndGet();
      return outcome;
    }

    @Override
    public ExternalRef ref() {
      return sandbox.ref();
    }

    @Override
    public SandboxPath project() {
      return sandbox.project();
    }

    @Override
    public SandboxPath home() {
      return sandbox.home();
    }

    @Override
    public FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
      return sandbox.read(path, offset, maxBytes);
    }

    @Override
    public FileWrite write(SandboxPath path, byte[] content, FileMode mode)
        throws InterruptedException {
      return sandbox.write(path, content, mode);
    }
  }
}
