package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The simulator as a program of its own, which serves with TLS. */
class KubernetesProgramTest {

  private static final String SECONDS = "3640";

  @TempDir private Path folder;
  private Process program;
  private BufferedReader output;

  @BeforeEach
  void start() throws Exception {
    Suites.require(
        "the Kubernetes simulator",
        Namespace.isPossible(),
        "unshare is not permitted on this machine");
    program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                "mesh.simulator.Simulators",
                "kubernetes",
                "0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    output = new BufferedReader(new InputStreamReader(program.getInputStream(), UTF_8));
    assertThat(output.readLine()).isEqualTo("ready");
    assertThat(output.readLine()).startsWith("https://127.0.0.1:");
    runSleeper(configuration());
  }

  @AfterEach
  void stop() throws Exception {
    program.destroyForcibly().waitFor();
  }

  private String configuration() throws IOException {
    var lines = new StringBuilder();
    for (var line = ""; !line.startsWith("current-context"); ) {
      line = output.readLine();
      lines.append(line).append('\n');
    }
    return lines.toString();
  }

  private static void runSleeper(String configuration) {
    var pod =
        ClusterTest.pod("one")
            .editSpec()
            .editFirstContainer()
            .withCommand("sleep", SECONDS)
            .endContainer()
            .endSpec()
            .build();
    try (var client =
        new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(configuration)).build()) {
      client.resource(pod).create();
      ClusterTest.await(() -> sleepers() == 1);
    }
  }

  @Test
  void leavesNothingWhenItIsStopped() throws Exception {
    program.destroy();

    assertThat(program.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(sleepers()).isZero();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void leavesNoProcessEvenWhenItIsKilled() throws Exception {
    program.destroyForcibly().waitFor();

    ClusterTest.await(() -> sleepers() == 0);
  }

  private static long sleepers() {
    return ProcessHandle.allProcesses()
        .map(it -> Path.of("/proc/" + it.pid() + "/cmdline"))
        .filter(it -> contentOf(it).equals("sleep\0" + SECONDS + "\0"))
        .count();
  }

  private static String contentOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // The process has ended meanwhile.
      return "";
    }
  }
}
