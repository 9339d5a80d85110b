package mesh.dashboard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
import mesh.execution.Shell;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.Isolation;

/**
 * A runtime with every kind of field, first in the catalog. Its sandboxes are in memory; in the
 * region "nowhere" there are none.
 */
final class StagedRuntime implements BackendProvider {

  static final String NAME = "alpha";
  static final String TITLE = "Alpha";

  private final Map<String, Map<String, byte[]>> sandboxes = new ConcurrentHashMap<>();

  int sandboxes() {
    return sandboxes.size();
  }

  @Override
  public BackendDescriptor descriptor() {
    return new BackendDescriptor(
        new BackendName(NAME),
        1,
        TITLE,
        "Machines somewhere, for tests.",
        Isolation.MICROVM,
        "",
        List.of(
            new ConfigField.Secret("token", "Token", "The account's token.", true),
            new ConfigField.Secret("key", "Private key", "For images of your own.", false),
            new ConfigField.Address(
                "base_url", "Address", "Where it answers.", "https://alpha.example"),
            new ConfigField.Text("project", "Project", "Where machines are counted.", true, ""),
            new ConfigField.Text("region", "Region", "Where machines run.", false, "north"),
            new ConfigField.Choice(
                "max_size",
                "Largest size",
                "The ceiling.",
                List.of("small", "standard", "large"),
                "standard"),
            new ConfigField.Toggle(
                "private_network", "Private network", "Keeps machines off the internet.")));
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return Memory.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    if (config.get("region").equals("forbidden")) {
      throw new BackendException.Rejected("there is no region forbidden", null);
    }
    return new Memory(config.get("region"));
  }

  private final class Memory implements Backend, Shell {

    private final String region;

    Memory(String region) {
      this.region = region;
    }

    @Override
    public Sandbox acquire(SandboxSpec spec) {
      if (region.equals("nowhere")) {
        throw new BackendException.Unavailable(
            "the vendor answered 503: <no capacity>", Duration.ZERO, null);
      }
      sandboxes.putIfAbsent(spec.key().value(), new ConcurrentHashMap<>());
      return attach(ExternalRef.of(spec.key().value()));
    }

    @Override
    public Sandbox attach(ExternalRef ref) {
      Map<String, byte[]> files = sandboxes.get(ref.reveal());
      if (files == null) {
        throw new BackendException.SandboxGone("there is no such machine");
      }
      return new Machine(ref, files);
    }

    @Override
    public Release release(ExternalRef ref) {
      sandboxes.remove(ref.reveal());
      return Release.DESTROYED;
    }

    @Override
    public Inventory list(InstallationId installation) {
      List<InventoryEntry> entries = new ArrayList<>();
      for (String key : sandboxes.keySet()) {
        entries.add(new InventoryEntry(new SandboxKey(key), ExternalRef.of(key), Instant.EPOCH));
      }
      return new Inventory(entries, 0, 0);
    }

    @Override
    public void close() {}
  }

  private record Machine(ExternalRef ref, Map<String, byte[]> files) implements Sandbox {

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
      sink.accept(
          OutputSink.Channel.STDOUT, ByteBuffer.wrap("mesh\n".getBytes(StandardCharsets.UTF_8)));
      return new Outcome.Exited(0, 0);
    }

    @Override
    public FileRead read(SandboxPath path, long offset, int maxBytes) {
      byte[] bytes = files.get(path.value());
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
