package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import mesh.Suites;
import mesh.simulator.namespace.Namespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** A cluster and two clients for each test: an independent one, and one that speaks plainly. */
abstract class ClusterTest {

  protected final KubernetesSimulator cluster;
  protected final KubernetesClient kubernetes;
  protected final ExecClient exec;

  ClusterTest() throws IOException {
    cluster = KubernetesSimulator.start(0);
    kubernetes =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
            .build();
    exec = new ExecClient(cluster);
  }

  @BeforeAll
  static void namespacesArePossible() {
    Suites.require(
        "the Kubernetes simulator",
        Namespace.isPossible(),
        "unshare is not permitted on this machine");
  }

  @AfterEach
  void stop() {
    exec.close();
    kubernetes.close();
    cluster.close();
  }

  /** A pod that does nothing until it is told. */
  static PodBuilder pod(String name) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .withLabels(Map.of("app", name))
        .endMetadata()
        .withNewSpec()
        .withRestartPolicy("Never")
        .withTerminationGracePeriodSeconds(0L)
        .addNewContainer()
        .withName("main")
        .withImage("debian")
        .withCommand("sleep", "infinity")
        .endContainer()
        .endSpec();
  }

  /** One whose container may not use more memory than that. */
  static Pod limited(String name, String memory) {
    return pod(name)
        .editSpec()
        .editFirstContainer()
        .withNewResources()
        .withLimits(Map.of("memory", new Quantity(memory)))
        .endResources()
        .endContainer()
        .endSpec()
        .build();
  }

  /** Creates it and waits until it is ready. */
  Pod run(Pod pod) {
    kubernetes.resource(pod).create();
    return await(
        pod.getMetadata().getName(),
        it ->
            it.getStatus().getConditions().stream()
                .anyMatch(condition ->
                    condition.getType().equals("Ready") && condition.getStatus().equals("True")));
  }

  Pod await(String name, Predicate<Pod> condition) {
    await(() -> condition.test(read(name)));
    return read(name);
  }

  Pod read(String name) {
    return kubernetes.pods().inNamespace("default").withName(name).require();
  }

  static void await(BooleanSupplier condition) {
    var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the condition came true in time").isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }
}
