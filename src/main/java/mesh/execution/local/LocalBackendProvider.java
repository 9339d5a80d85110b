package mesh.execution.local;

import java.util.List;
import java.util.Map;
import mesh.execution.Backend;
import mesh.execution.BackendProvider;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.Isolation;
import org.springframework.stereotype.Component;

@Component
class LocalBackendProvider implements BackendProvider {

  private static final String ROOT = "root";
  private static final String SMALL_MEMORY = "small_memory_mib";
  private static final String FALLBACK = "sandboxes";

  private static final BackendDescriptor DESCRIPTOR =
      new BackendDescriptor(
          new BackendName("local"),
          900,
          "Local",
          "Runs commands on Mesh's own machine, each workspace in a directory of its own.",
          Isolation.DIRECTORY,
          "Unsafe for anything but working on Mesh itself and trying it out: commands run as Mesh's"
              + " own user on Mesh's own machine and can read and change whatever Mesh can.",
          List.of(
              new ConfigField.Text(
                  ROOT,
                  "Folder for sandboxes",
                  "An absolute path, or one inside Mesh's data directory.",
                  false,
                  FALLBACK),
              new ConfigField.Choice(
                  "max_size",
                  "Largest size",
                  "A workspace that runs out of memory climbs so far.",
                  List.of("small", "standard", "large", "xlarge"),
                  "xlarge"),
              new ConfigField.Choice(
                  SMALL_MEMORY,
                  "Memory of the small size, in MiB",
                  "Each next size has twice as much: standard, large, xlarge.",
                  List.of("64", "128", "256", "512", "1024", "2048", "4096"),
                  Long.toString(MemorySizes.USUAL.small() >> 20))),
          Map.of(),
          true);

  private final DataDirectory data;

  LocalBackendProvider(DataDirectory data) {
    this.data = data;
  }

  @Override
  public BackendDescriptor descriptor() {
    return DESCRIPTOR;
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return LocalBackend.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    var root = config.find(ROOT).filter(it -> !it.isBlank()).orElse(FALLBACK);
    var sizes =
        config
            .find(SMALL_MEMORY)
            .map(mebibytes -> new MemorySizes(Long.parseLong(mebibytes) << 20))
            .orElse(MemorySizes.USUAL);
    return new LocalBackend(
        data.path().resolve(HostText.path(root)).toAbsolutePath().normalize(), sizes);
  }
}
