package mesh.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.EgressControl;
import mesh.execution.EgressPolicy;
import mesh.execution.SandboxSpec;
import mesh.simulator.kubernetes.CallKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit on egress holds, or there is no sandbox. */
@BesideOthers
class KubernetesEgressTest {

  private static final EgressPolicy POLICY =
      new EgressPolicy(Set.of("example.com", "*.example.org"));

  private final SandboxSpec spec = TestingCluster.spec();
  private TestingCluster cluster;
  private PodBackend backend;

  @BeforeEach
  void start() throws IOException {
    cluster = new TestingCluster();
    backend = cluster.open(TestingCluster.EVERYTHING);
  }

  @AfterEach
  void stop() {
    backend.close();
    cluster.close();
  }

  private EgressControl control() {
    return (EgressControl) backend;
  }

  private List<GenericKubernetesResource> policies() {
    return cluster
        .operator
        .genericKubernetesResources(Policies.KIND)
        .inNamespace("default")
        .list()
        .getItems();
  }

  private void assertNothingIsLeft() {
    assertThat(cluster.simulator.pods()).isEmpty();
    assertThat(policies()).isEmpty();
  }

  @Test
  void aPolicyIsThereBeforeItsPodAndGoesWithIt() throws InterruptedException {
    var sandbox = control().acquire(spec, POLICY);

    var calls = cluster.simulator.calls().stream().map(call -> call.kind()).toList();
    assertThat(calls.lastIndexOf(new CallKind("create", "ciliumnetworkpolicies")))
        .isLessThan(calls.lastIndexOf(CallKind.CREATE_POD));
    assertThat(policies())
        .singleElement()
        .satisfies(policy -> {
          assertThat(policy.getMetadata().getName()).isEqualTo(spec.key().value());
          assertThat(policy.<Object>get("spec").toString())
              .contains("matchName=example.com", "matchPattern=*.example.org", "k8s-app=kube-dns");
        });
    backend.release(sandbox.ref());
    assertNothingIsLeft();
  }

  @Test
  void theClusterIsTriedOnceAndNotForEachSandbox() throws InterruptedException {
    control().acquire(spec, POLICY);
    cluster.simulator.forgetCalls();

    control().acquire(TestingCluster.spec(), POLICY);

    assertThat(cluster.simulator.calls(CallKind.CREATE_POD)).hasSize(1);
  }

  /** case 83 */
  @Test
  void aWiderPolicyOfSomebodyElseIsRefusedBeforeThereIsAPod() {
    var wider = new NetworkPolicyBuilder();
    wider.withNewMetadata().withName("allow-all").endMetadata();
    wider
        .withNewSpec()
        .withNewPodSelector()
        .endPodSelector()
        .withPolicyTypes("Egress")
        .addNewEgress()
        .endEgress()
        .endSpec();
    cluster
        .operator
        .network()
        .v1()
        .networkPolicies()
        .inNamespace("default")
        .resource(wider.build())
        .create();

    assertThatThrownBy(() -> control().acquire(spec, POLICY))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("allow-all");
    assertThat(cluster.simulator.calls(CallKind.CREATE_POD)).isEmpty();
    assertNothingIsLeft();
  }

  /** case 83 */
  @Test
  void soIsOneOfCiliums() {
    var wider = new GenericKubernetesResource();
    wider.setApiVersion("cilium.io/v2");
    wider.setKind("CiliumNetworkPolicy");
    wider.setMetadata(
        new io.fabric8.kubernetes.api.model.ObjectMetaBuilder().withName("world").build());
    wider.setAdditionalProperty(
        "spec",
        Map.of(
            "endpointSelector",
            Map.of("matchLabels", Map.of("k8s:" + Manifest.MANAGED_BY, "mesh")),
            "egress",
            List.of(Map.of("toEntities", List.of("world")))));
    cluster
        .operator
        .genericKubernetesResources(Policies.KIND)
        .inNamespace("default")
        .resource(wider)
        .create();

    assertThatThrownBy(() -> control().acquire(spec, POLICY))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("world");
    assertThat(cluster.simulator.pods()).isEmpty();
  }

  /** case 84 */
  @Test
  void policiesThatNothingEnforcesAreFoundOut() {
    cluster.simulator.policyEnforced(false);

    assertThatThrownBy(() -> control().acquire(spec, POLICY))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("accepts network policies but nothing enforces them");
    assertNothingIsLeft();
  }

  /** case 84: also where they were enforced a while ago. */
  @Test
  void eachSandboxIsTriedBeforeItIsHandedOut() throws InterruptedException {
    backend.release(control().acquire(spec, POLICY).ref());
    cluster.simulator.policyEnforced(false);

    assertThatThrownBy(() -> control().acquire(TestingCluster.spec(), POLICY))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("nothing enforces them");
    assertNothingIsLeft();
  }

  @Test
  void withoutAPolicyEgressIsOpen() throws InterruptedException {
    assertThat(Reach.of(backend.acquire(spec))).isNotEmpty();
    assertThat(policies()).isEmpty();
  }

  @Test
  void aSandboxThatExistsKeepsThePolicyItWasMadeWith() throws InterruptedException {
    control().acquire(spec, POLICY);
    var made = policies();

    control().acquire(spec, new EgressPolicy(Set.of("example.net")));

    assertThat(policies()).isEqualTo(made);
  }
}
