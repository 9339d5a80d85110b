package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The vendor's own published client, at a version that is fixed, drives the simulator.
 *
 * <p>It is installed from the npm registry into a temporary folder, or into {@code
 * MESH_NPM_CACHE_DIR} if that is set in the environment, where it stays for the next time.
 */
class OfficialSpritesClientTest {

  private static final String SUITE = "the official Sprites client";
  private static final List<String> PACKAGES = List.of("@fly/sprites@0.1.0", "ws@8", "node@24");
  private static final List<String> SCRIPTS = List.of("check.mjs", "sprites.mjs");

  @Test
  void passesEveryStep(@TempDir Path temporary) throws Exception {
    Suites.require(SUITE, Namespace.isPossible(), "unshare is not permitted on this machine");
    Suites.require(SUITE, isOnPath("npm"), "npm is not on the PATH");
    var cache = System.getenv("MESH_NPM_CACHE_DIR");
    var folder = cache == null ? temporary : Path.of(cache, "sprites");
    install(folder);
    copyScripts(folder);

    try (var vendor = SpritesSimulator.start(0)) {
      vendor.mode(Mode.SDK_FRIENDLY);
      var node = new ProcessBuilder("node_modules/.bin/node", "sprites.mjs");
      node.environment().put("BASE", vendor.baseUrl());
      var output = run(node, folder, 120);

      System.out.println(output);
      assertThat(output.strip().lines().toList().getLast()).isEqualTo("22 passed, 0 failed");
    }
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    if (Files.isExecutable(folder.resolve("node_modules/.bin/node"))
        && Files.isDirectory(folder.resolve("node_modules/@fly/sprites"))) {
      return;
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
    var npm = new ProcessBuilder("npm", "install", "--no-fund", "--no-audit", "--no-package-lock");
    npm.command().addAll(PACKAGES);
    var output = run(npm, folder, 180);
    Suites.require(
        SUITE,
        Files.isExecutable(folder.resolve("node_modules/.bin/node")),
        "npm could not install it (" + output.lines().findFirst().orElse("no answer") + ")");
  }

  private static void copyScripts(Path folder) throws IOException {
    for (var script : SCRIPTS) {
      try (var resource =
          OfficialSpritesClientTest.class.getResourceAsStream("/official-clients/" + script)) {
        assertThat(resource).as(script).isNotNull();
        Files.write(folder.resolve(script), resource.readAllBytes());
      }
    }
  }

  /** What it printed; it is ended if it takes too long. */
  private static String run(ProcessBuilder command, Path folder, int seconds)
      throws IOException, InterruptedException {
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
