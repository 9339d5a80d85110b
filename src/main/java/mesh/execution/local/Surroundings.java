package mesh.execution.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The environment a command sees: nothing of Mesh's own but its search path and user. Two variables
 * mark every process that comes of it.
 */
record Surroundings(SandboxFolder folder, String mark) {

  static final String SANDBOX = "MESH_SANDBOX";
  static final String COMMAND = "MESH_COMMAND";

  /** Mesh's own, since Java looks programs up there whatever the command's environment says. */
  private static final String PATH =
      System.getenv().getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin");

  Programs programs() {
    return new Programs(PATH);
  }

  ProcessBuilder builder(List<String> argv, Path directory) {
    var builder = new ProcessBuilder(argv).directory(directory.toFile());
    var environment = builder.environment();
    environment.clear();
    environment.putAll(
        Map.of(
            "PATH",
            PATH,
            "HOME",
            folder.home().toString(),
            "TMPDIR",
            folder.temporary().toString(),
            "USER",
            System.getProperty("user.name", "mesh"),
            "LANG",
            "C.UTF-8",
            "TERM",
            "dumb",
            SANDBOX,
            folder.key().value(),
            COMMAND,
            mark));
    return builder;
  }
}
