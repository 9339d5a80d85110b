package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxKey;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;
import mesh.execution.Sized;

/**
 * Sandboxes as directories below one root. A sandbox's reference is its key. Memory is limited and
 * its end reported where there is a {@code /proc}; elsewhere every size is without limit.
 */
final class LocalBackend implements Backend, Shell, Hibernator, Sized {

  private final Folders folders;
  private final MemorySizes sizes;
  private final LongSupplier kernelKills;
  private final MemoryGuard guard = new MemoryGuard();
  private final Set<Execution> running = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("local-", 0).factory());

  /**
   * @param root absolute; made when the first sandbox is
   */
  LocalBackend(Path root, MemorySizes sizes) {
    this(root, sizes, new KernelKills());
  }

  /**
   * @param kernelKills how many processes the kernel has killed for want of memory
   */
  LocalBackend(Path root, MemorySizes sizes, LongSupplier kernelKills) {
    this.folders = new Folders(root);
    this.sizes = sizes;
    this.kernelKills = kernelKills;
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    return open(spec.key(), key -> folders.make(key, spec.size()));
  }

  @Override
  public Sandbox wake(ExternalRef ref) throws InterruptedException {
    return open(key(ref), folders::wake);
  }

  @FunctionalInterface
  private interface Opening {
    SandboxFolder of(SandboxKey key) throws InterruptedException;
  }

  private Sandbox open(SandboxKey key, Opening opening) throws InterruptedException {
    if (!folders.of(key).exists() && !folders.quarters(key).isEmpty()) {
      // Its falling asleep, or its end, may have been cut short.
      end(key);
    }
    var folder = opening.of(key);
    deleteRemains(key);
    return sandbox(folder);
  }

  @Override
  public Sandbox attach(ExternalRef ref) {
    return sandbox(folders.of(key(ref)).checked());
  }

  private static SandboxKey key(ExternalRef ref) {
    return FolderName.key(ref.reveal())
        .orElseThrow(() -> new BackendException.SandboxGone("no sandbox has such a reference"));
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    var key = FolderName.key(ref.reveal());
    if (key.isEmpty()) {
      return Release.DESTROYED;
    }
    var sleeps = folders.sleep(key.get());
    clear(key.get());
    return sleeps ? Release.HIBERNATED : Release.DESTROYED;
  }

  @Override
  public void destroy(ExternalRef ref) throws InterruptedException {
    var key = FolderName.key(ref.reveal());
    if (key.isPresent()) {
      folders.retire(key.get());
      clear(key.get());
    }
  }

  /** First out of use, then emptied: what starts in between sees that it came too late. */
  private void clear(SandboxKey key) throws InterruptedException {
    end(key);
    deleteRemains(key);
  }

  private void end(SandboxKey key) throws InterruptedException {
    var executions = running.stream().filter(it -> it.isIn(key)).toList();
    if (!folders.of(key).exists()) {
      executions.forEach(Execution::end);
    }
    ProcessTree.endSandbox(key, folders.quarters(key), () -> folders.of(key).exists());
  }

  private void deleteRemains(SandboxKey key) throws InterruptedException {
    for (var remains : folders.remains(key)) {
      delete(remains);
    }
  }

  private static void delete(Path remains) throws InterruptedException {
    try {
      Deletion.of(remains);
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while deleting a sandbox");
      }
      throw new BackendException.Unexpected(e.toString(), e);
    }
  }

  @Override
  public Inventory list(InstallationId installation) throws InterruptedException {
    return folders.inventory(installation);
  }

  /**
   * Output of children that commands left behind goes on being read, so that they can go on. Only
   * when Mesh itself ends do their pipes break.
   */
  @Override
  public void close() {
    threads.shutdown();
  }

  private Sandbox sandbox(SandboxFolder folder) {
    var limit = sizes.of(folder.size().read());
    return new LocalSandbox(
        folder,
        () -> new Execution(folder, threads, running, new Memory(limit, guard, kernelKills)));
  }
}
