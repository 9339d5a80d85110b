package mesh.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;

/**
 * A client that a vendor publishes on npm, at a version that is fixed, and the script that drives
 * it.
 *
 * <p>It is installed from the npm registry into a temporary folder, or into {@code
 * MESH_NPM_CACHE_DIR} if that is set in the environment, where it stays for the next time.
 */
public final class OfficialClient {

  private final String suite;
  private final Path folder;
  private final String script;

  private OfficialClient(String suite, Path folder, String script) {
    this.suite = suite;
    this.folder = folder;
    this.script = script;
  }

  /**
   * Installs it, or ends the calling test if that cannot be done here.
   *
   * @param name of the script, and of the folder in the cache
   * @param temporary where it goes if there is no cache
   * @param packages as npm takes them
   */
  public static OfficialClient install(
      String suite, String name, Path temporary, List<String> packages)
      throws IOException, InterruptedException {
    Suites.require(suite, Namespace.isPossible(), "unshare is not permitted on this machine");
    Suites.require(suite, isOnPath("npm"), "npm is not on the PATH");
    var cache = System.getenv("MESH_NPM_CACHE_DIR");
    var folder = cache == null ? temporary : Path.of(cache, name);
    var client = new OfficialClient(suite, folder, name + ".mjs");
    client.install(packages);
    client.copyScripts();
    return client;
  }

  private void install(List<String> packages) throws IOException, InterruptedException {
    if (packages.stream().allMatch(this::isInstalled)) {
      return;
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
    var npm = new ProcessBuilder("npm", "install", "--no-fund", "--no-audit", "--no-package-lock");
    npm.command().addAll(packages);
    var output = run(npm, 180);
    Suites.require(
        suite,
        packages.stream().allMatch(this::isInstalled),
        "npm could not install it (" + output.lines().findFirst().orElse("no answer") + ")");
  }

  private boolean isInstalled(String versioned) {
    var name = versioned.substring(0, versioned.lastIndexOf('@'));
    return Files.isDirectory(folder.resolve("node_modules").resolve(name));
  }

  private void copyScripts() throws IOException {
    for (var name : List.of("check.mjs", script)) {
      try (var resource = OfficialClient.class.getResourceAsStream("/official-clients/" + name)) {
        assertThat(resource).as(name).isNotNull();
        Files.write(folder.resolve(name), resource.readAllBytes());
      }
    }
  }

  /**
   * Runs the script, with the node that was installed or else the one on the PATH, and fails unless
   * every step passes.
   */
  public void passes(int steps, Map<String, String> environment)
      throws IOException, InterruptedException {
    var own = folder.resolve("node_modules/.bin/node");
    var node = new ProcessBuilder(Files.isExecutable(own) ? own.toString() : "node", script);
    node.environment().putAll(environment);
    var output = run(node, 120);

    System.out.println(output);
    assertThat(output.strip().lines().toList().getLast()).isEqualTo(steps + " passed, 0 failed");
  }

  /** What it printed; it is ended if it takes too long. */
  private String run(ProcessBuilder command, int seconds) throws IOException, InterruptedException {
    var log = folder.resolve("output.log").toFile();
    var process =
        command.directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log).start();
    process.getOutputStream().close();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    return Files.readString(log.toPath(), UTF_8);
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
