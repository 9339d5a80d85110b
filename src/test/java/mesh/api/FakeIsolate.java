package mesh.api;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.BackendProvider;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxKey;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.Isolation;

/** A legitimate backend without a shell: files in memory, and no ordinary program ever runs. */
final class FakeIsolate implements BackendProvider, Backend {

  static final String NAME = "isolate";

  final List<String> calls = new CopyOnWriteArrayList<>();
  private final Map<String, Map<String, byte[]>> sandboxes = new ConcurrentHashMap<>();

  @Override
  public BackendDescriptor descriptor() {
    return new BackendDescriptor(
        new BackendName(NAME),
        1,
        "Isolate",
        "Evaluates.",
        Isolation.KERNEL_EMULATION,
        "",
        List.of());
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return FakeIsolate.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    return this;
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) {
    calls.add("acquire");
    sandboxes.putIfAbsent(spec.key().value(), new ConcurrentHashMap<>());
    return attach(ExternalRef.of(spec.key().value()));
  }

  @Override
  public Sandbox attach(ExternalRef ref) {
    var files = sandboxes.get(ref.reveal());
    if (files == null) {
      throw new BackendException.SandboxGone("there is no such isolate");
    }
    return new Isolate(ref, files);
  }

  @Override
  public Release release(ExternalRef ref) {
    calls.add("release");
    sandboxes.remove(ref.reveal());
    return Release.DESTROYED;
  }

  @Override
  public Inventory list(InstallationId installation) {
    var entries = new ArrayList<InventoryEntry>();
    for (var key : sandboxes.keySet()) {
      entries.add(new InventoryEntry(new SandboxKey(key), ExternalRef.of(key), Instant.EPOCH));
    }
    return new Inventory(entries, 0, 0);
  }

  @Override
  public void close() {}

  private final class Isolate implements Sandbox {

    private final ExternalRef ref;
    private final Map<String, byte[]> files;

    Isolate(ExternalRef ref, Map<String, byte[]> files) {
      this.ref = ref;
      this.files = files;
    }

    @Override
    public ExternalRef ref() {
      return ref;
    }

    @Override
    public SandboxPath project() {
      return new SandboxPath("/project");
    }

    @Override
    public SandboxPath home() {
      return new SandboxPath("/home");
    }

    @Override
    public Outcome exec(Command command, OutputSink sink) {
      calls.add("exec");
      return new Outcome.Exited(127, 0);
    }

    @Override
    public FileRead read(SandboxPath path, long offset, int maxBytes) {
      var bytes = files.get(path.value());
      return bytes == null
          ? new FileRead.Absent()
          : new FileRead.Content(bytes, bytes.length, true);
    }

    @Override
    public FileWrite write(SandboxPath path, byte[] content, FileMode mode) {
      files.put(path.value(), content);
      return new FileWrite.Written(content.length);
    }
  }
}
