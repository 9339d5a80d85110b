package mesh.simulator.kubernetes;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.namespace.Container;

/** Tells beforehand why a container's runtime would not start a program. */
final class Launch {

  private Launch() {}

  /** In the runtime's words; empty if it would. */
  static Optional<String> obstacle(
      Container container, String directory, Map<String, String> environment, List<String> argv) {
    var program = argv.getFirst();
    if (!Files.isDirectory(inside(container, directory))) {
      return failure(
          "chdir to cwd (\""
              + directory
              + "\") set in config.json failed: no such file or directory");
    }
    if (program.contains("/")) {
      var absolute = Path.of(directory).resolve(program).toString();
      if (!isThere(container, absolute)) {
        return failure(
            "exec: \"" + program + "\": stat " + program + ": no such file or directory");
      }
      return isRunnable(container, absolute)
          ? Optional.empty()
          : failure("exec: \"" + program + "\": permission denied");
    }
    var path = environment.getOrDefault("PATH", "");
    return Arrays.stream(path.split(":", -1))
            .map(folder -> Path.of(directory).resolve(folder).resolve(program).toString())
            .anyMatch(it -> isThere(container, it) && isRunnable(container, it))
        ? Optional.empty()
        : failure("exec: \"" + program + "\": executable file not found in $PATH");
  }

  private static Optional<String> failure(String why) {
    return Optional.of(
        "OCI runtime exec failed: exec failed: unable to start container process: "
            + why
            + ": unknown");
  }

  private static Path inside(Container container, String path) {
    return Path.of(container.root() + "/" + path);
  }

  private static boolean isThere(Container container, String path) {
    return Files.exists(inside(container, path), LinkOption.NOFOLLOW_LINKS);
  }

  /** A link may lead anywhere in the container, which is not where it leads from here. */
  private static boolean isRunnable(Container container, String path) {
    var file = inside(container, path);
    return Files.isSymbolicLink(file) || (Files.isExecutable(file) && !Files.isDirectory(file));
  }
}
