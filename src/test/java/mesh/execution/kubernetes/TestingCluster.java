package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import mesh.execution.Command;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.simulator.kubernetes.KubernetesSimulator;

/** A simulated cluster, the adapter on it with little patience, and an operator's client. */
final class TestingCluster implements AutoCloseable {

  static final InstallationId INSTALLATION = new InstallationId("0123456789");
  static final String NAMESPACE = "default";
  static final String TOKEN = "very-secret-token";

  static final Map<String, String> EVERYTHING =
      Map.of(
          KubernetesBackendProvider.EGRESS,
          KubernetesBackendProvider.CILIUM,
          KubernetesBackendProvider.SNAPSHOT_CLASS,
          "standard");

  final KubernetesSimulator simulator;
  final List<Duration> pauses = new CopyOnWriteArrayList<>();
  final KubernetesClient operator;

  TestingCluster() throws IOException {
    simulator = KubernetesSimulator.start(0);
    simulator.token(TOKEN);
    operator =
        new KubernetesClientBuilder()
            .withConfig(Access.of(simulator.kubeconfig()).config())
            .build();
  }

  static SandboxSpec spec() {
    return spec(UUID.randomUUID());
  }

  static SandboxSpec spec(UUID workspace) {
    return SandboxSpec.of(INSTALLATION, workspace, 1, Size.SMALL, Duration.ofHours(1));
  }

  PodBackend open() {
    return open(Map.of());
  }

  PodBackend open(Map<String, String> more) {
    return new KubernetesBackendProvider(new SecureRandom())
        .open(
            KubernetesBackends.config(simulator.kubeconfig(), NAMESPACE, more),
            impatient(),
            pauses::add);
  }

  /** Retries wait for nothing, looks for next to nothing. */
  static Waits impatient() {
    return new Waits(
        time -> LockSupport.parkNanos(Math.min(time.toNanos(), 20_000_000)),
        Duration.ofSeconds(10),
        Duration.ofMillis(300),
        Duration.ofMillis(300),
        Duration.ofSeconds(5),
        Duration.ofSeconds(8),
        Duration.ofSeconds(3),
        Duration.ofSeconds(2),
        Duration.ofMillis(500));
  }

  static Command script(Sandbox sandbox, String script) {
    return Command.of(List.of("sh", "-c", script), sandbox.project(), Duration.ofSeconds(30));
  }

  static Outcome run(Sandbox sandbox, String script) throws InterruptedException {
    return sandbox.exec(script(sandbox, script), (_, _) -> {});
  }

  static String printed(Sandbox sandbox, String script) throws InterruptedException {
    var out = new ByteArrayOutputStream();
    var _ =
        sandbox.exec(
            script(sandbox, script),
            (channel, bytes) -> {
              while (channel == Channel.STDOUT && bytes.hasRemaining()) {
                out.write(bytes.get());
              }
            });
    return out.toString(UTF_8);
  }

  @Override
  public void close() {
    operator.close();
    simulator.close();
  }
}
