package mesh.simulator.namespace;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Finds the programs this machine has; a sandbox's own {@code PATH} may be empty. */
final class Programs {

  static final String UNSHARE = find("unshare");
  static final String NSENTER = find("nsenter");
  static final String SETSID = find("setsid");
  static final String ENV = find("env");
  static final String PIVOT_ROOT = find("pivot_root");

  private Programs() {}

  private static String find(String name) {
    var path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator)),
            Stream.of("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "the simulators need util-linux and coreutils: no " + name + " on the PATH"))
        .toString();
  }
}
