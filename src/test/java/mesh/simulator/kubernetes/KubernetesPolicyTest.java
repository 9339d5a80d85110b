package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who reaches a port of this machine, which is where all pods are. */
class KubernetesPolicyTest extends ClusterTest {

  private static final String DENY = "\"podSelector\":{},\"policyTypes\":[\"Egress\"]";

  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

  KubernetesPolicyTest() throws IOException {}

  @BeforeEach
  void createOne() {
    run(pod("one").build());
  }

  @AfterEach
  void closeServer() throws IOException {
    server.close();
  }

  private void policy(String name, String spec) {
    kubernetes
        .resource(
            "{\"apiVersion\":\"networking.k8s.io/v1\",\"kind\":\"NetworkPolicy\",\"metadata\":"
                + "{\"name\":\"%s\",\"namespace\":\"default\"},\"spec\":{%s}}"
                    .formatted(name, spec))
        .create();
  }

  private boolean reaches() throws Exception {
    var script = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + server.getLocalPort() + "'";
    return exec.run("one", script).code() == 0;
  }

  @Test
  void aPodReachesAnythingUntilAPolicySelectsIt() throws Exception {
    assertThat(reaches()).isTrue();

    policy("deny", DENY);
    assertThat(reaches()).isFalse();

    kubernetes.network().networkPolicies().inNamespace("default").withName("deny").delete();
    assertThat(reaches()).isTrue();
  }

  @Test
  void aPolicyForOtherPodsOrForIngressHasNoEffect() throws Exception {
    policy(
        "others",
        "\"podSelector\":{\"matchLabels\":{\"app\":\"two\"}},\"policyTypes\":[\"Egress\"]");
    policy("ingress", "\"podSelector\":{},\"policyTypes\":[\"Ingress\"]");

    assertThat(reaches()).isTrue();
  }

  @Test
  void nameServersAloneAreNothingToReach() throws Exception {
    policy("deny", DENY);
    policy("names", DENY + ",\"egress\":[{\"ports\":[{\"port\":53,\"protocol\":\"UDP\"}]}]");
    assertThat(reaches()).isFalse();

    policy(
        "proxy",
        DENY + ",\"egress\":[{\"to\":[{\"podSelector\":{\"matchLabels\":{\"app\":\"proxy\"}}}]}]");
    assertThat(reaches()).isFalse();

    run(pod("proxy").build());
    assertThat(reaches()).isTrue();
  }

  @Test
  void processesThatReachNothingReachEachOther() throws Exception {
    policy("deny", DENY);

    var first = exec.start("v5.channel.k8s.io", "one", "readlink", "/proc/self/ns/net").awaitEnd();
    var second = exec.start("v5.channel.k8s.io", "one", "readlink", "/proc/self/ns/net").awaitEnd();

    assertThat(first.out()).isNotBlank().isEqualTo(second.out());
  }

  @Test
  void aClusterMayKeepPoliciesAndDoNothing() throws Exception {
    cluster.policyEnforced(false);

    policy("deny", DENY);

    assertThat(reaches()).isTrue();
  }
}
