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
                  FALLBACK)),
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
    return new LocalBackend(data.path().resolve(HostText.path(root)).toAbsolutePath().normalize());
  }
}
