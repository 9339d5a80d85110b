package mesh.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.Outcome;
import mesh.simulator.kubernetes.KubernetesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Both clients trust whom the kubeconfig says, and nobody else. */
@BesideOthers
class KubernetesTlsTest {

  private KubernetesSimulator cluster;

  @BeforeEach
  void start() throws IOException {
    cluster = KubernetesSimulator.startWithTls(0);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void theAuthorityInTheKubeconfigIsTrusted() throws InterruptedException {
    try (var backend = KubernetesBackends.open(cluster.kubeconfig(), "default")) {
      var sandbox = backend.acquire(TestingCluster.spec());

      assertThat(TestingCluster.run(sandbox, "exit 3")).isEqualTo(new Outcome.Exited(3, 0));
    }
  }

  @Test
  void withoutItNobodyIs() {
    var without = cluster.kubeconfig().replaceAll("(?m)^ *certificate-authority-data:.*$", "");
    try (var backend = KubernetesBackends.open(without, "default")) {
      assertThatThrownBy(() -> backend.list(TestingCluster.INSTALLATION))
          .isInstanceOf(BackendException.Unavailable.class);
    }
  }
}
