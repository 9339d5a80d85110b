package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxKey;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;

/** Sandboxes as directories below one root. A sandbox's reference is its key. */
final class LocalBackend implements Backend, Shell {

  private final Folders folders;
  private final Set<Execution> running = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("local-", 0).factory());

  /**
   * @param root absolute; made when the first sandbox is
   */
  LocalBackend(Path root) {
    this.folders = new Folders(root);
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) {
    return new LocalSandbox(folders.make(spec.key()), this::start);
  }

  @Override
  public Sandbox attach(ExternalRef ref) {
    var folder =
        Folders.key(ref.reveal())
            .map(folders::of)
            .orElseThrow(() -> new BackendException.SandboxGone("no sandbox has such a reference"));
    folder.check();
    return new LocalSandbox(folder, this::start);
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    var key = Folders.key(ref.reveal());
    if (key.isPresent()) {
      release(key.get());
    }
    return Release.DESTROYED;
  }

  private void release(SandboxKey key) throws InterruptedException {
    // First out of use, then emptied: what starts in between sees that it came too late.
    folders.retire(key);
    running.stream().filter(it -> it.isIn(key)).forEach(Execution::end);
    ProcessTree.endSandbox(key, folders.remains(key));
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
  public List<InventoryEntry> list(InstallationId installation) {
    Map<SandboxKey, InventoryEntry> entries = new LinkedHashMap<>();
    for (var folder : folders.all()) {
      if (folder.key().isOf(installation)) {
        try {
          var ref = ExternalRef.of(folder.key().value());
          entries.putIfAbsent(
              folder.key(), new InventoryEntry(folder.key(), ref, folder.createdAt()));
        } catch (IOException _) {
          // It went away meanwhile.
        }
      }
    }
    return List.copyOf(entries.values());
  }

  /**
   * Output of children that commands left behind goes on being read, so that they can go on. Only
   * when Mesh itself ends do their pipes break.
   */
  @Override
  public void close() {
    threads.shutdown();
  }

  private Execution start(SandboxFolder folder) {
    return new Execution(folder, threads, running);
  }
}
