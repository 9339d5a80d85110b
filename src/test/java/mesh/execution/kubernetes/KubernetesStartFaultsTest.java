package mesh.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.Outcome;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.remote.Patience;
import mesh.simulator.kubernetes.CallKind;
import mesh.simulator.kubernetes.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of a cluster in which a pod does not come to run. */
@BesideOthers
class KubernetesStartFaultsTest {

  private final SandboxSpec spec = TestingCluster.spec();
  private TestingCluster cluster;
  private PodBackend backend;

  @BeforeEach
  void start() throws IOException {
    cluster = new TestingCluster();
    backend = cluster.open();
  }

  @AfterEach
  void stop() {
    backend.close();
    cluster.close();
  }

  private void assertRejectedWith(PodBackend with, String... words) {
    assertThatThrownBy(() -> with.acquire(spec))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContainingAll(words)
        .hasMessageNotContaining(TestingCluster.TOKEN);
    assertThat(cluster.simulator.pods()).isEmpty();
  }

  /** case 100 */
  @Test
  void anImageThatCannotBePulledIsNamedAndThePodIsDeleted() {
    try (var other = cluster.open(Map.of(KubernetesBackendProvider.IMAGE, "nope:latest"))) {
      assertRejectedWith(other, "ImagePull", "nope:latest");
    }
  }

  /** case 100 */
  @Test
  void aPodThatNoNodeTakesIsDeletedAndTheReasonTold() {
    cluster.simulator.node("64", "64Mi");

    assertRejectedWith(backend, "Unschedulable", "Insufficient memory");
  }

  /** case 100 */
  @Test
  void aQuotaThatIsUsedUpIsToldAsSuch() {
    var quota = new ResourceQuotaBuilder();
    quota.withNewMetadata().withName("small").endMetadata();
    quota.withNewSpec().addToHard("pods", new Quantity("0")).endSpec();
    cluster.operator.resourceQuotas().inNamespace("default").resource(quota.build()).create();

    assertRejectedWith(backend, "the quota of the namespace default is used up", "exceeded quota");
  }

  @Test
  void aRuntimeClassThatIsNotThereIsToldAsSuch() {
    try (var other = cluster.open(Map.of(KubernetesBackendProvider.RUNTIME_CLASS, "gvisor"))) {
      assertRejectedWith(other, "gvisor", "runtime class");
    }
  }

  @Test
  void missingRightsAreNamedAllAtOnce() {
    cluster.simulator.refuse(CallKind.CREATE_POD);
    cluster.simulator.refuse(new CallKind("get", "pods/exec"));

    assertRejectedWith(
        backend, "Mesh lacks rights", "create pods, get pods/exec;", "docs/kubernetes-rbac.yaml");
  }

  @Test
  void aRehearsalSaysWhatIsGrantedAndMakesNothing() throws InterruptedException {
    var said = new ArrayList<String>();
    for (var check : backend.checks(TestingCluster.spec())) {
      said.add(check.name() + ": " + check.question().ask());
    }

    assertThat(said)
        .satisfiesExactly(
            rights ->
                assertThat(rights).startsWith("rights: pods: create, get, list, watch, delete;"),
            dryRun -> assertThat(dryRun).contains("dry_run", "default"));
    assertThat(cluster.operator.pods().inNamespace("default").list().getItems()).isEmpty();
  }

  @Test
  void aRehearsalSaysEachReasonForANo() {
    cluster.simulator.refuse(CallKind.DELETE_POD);
    var quota = new ResourceQuotaBuilder();
    quota.withNewMetadata().withName("small").endMetadata();
    quota.withNewSpec().addToHard("pods", new Quantity("0")).endSpec();
    cluster.operator.resourceQuotas().inNamespace("default").resource(quota.build()).create();

    var reasons = new ArrayList<String>();
    for (var check : backend.checks(TestingCluster.spec())) {
      assertThatThrownBy(check.question()::ask)
          .isInstanceOfSatisfying(
              BackendException.Rejected.class, no -> reasons.add(no.getMessage()));
    }

    assertThat(reasons)
        .satisfiesExactly(
            rights -> assertThat(rights).contains("lacks rights", "delete pods"),
            dryRun -> assertThat(dryRun).contains("the quota of the namespace default is used up"));
  }

  @Test
  void podsMeetTheStrictestLevelOfPodSecurity() throws InterruptedException {
    cluster
        .operator
        .namespaces()
        .withName("default")
        .edit(it ->
            it.edit()
                .editMetadata()
                .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                .endMetadata()
                .build());

    assertThat(TestingCluster.run(backend.acquire(spec), "id -u | grep -qx 1000"))
        .isEqualTo(new Outcome.Exited(0, 0));
  }

  /** case 35 */
  @Test
  void howeverOftenItFailedThereIsOnePod() throws InterruptedException {
    var faults = cluster.simulator.faults();
    faults.next(CallKind.CREATE_POD, new Fault.LostResponse());
    faults.next(CallKind.GET_POD, Fault.status(503));
    faults.next(2, CallKind.CREATE_POD, Fault.status(500));

    var sandbox = backend.acquire(spec);

    assertThat(cluster.simulator.pods()).containsExactly("default/" + spec.key().value());
    assertThat(TestingCluster.run(sandbox, "exit 3")).isEqualTo(new Outcome.Exited(3, 0));
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 500, 502, 503, 504})
  void aShortTroubleIsTriedAgain(int status) throws InterruptedException {
    cluster.simulator.faults().next(2, CallKind.CREATE_POD, Fault.status(status));

    backend.acquire(spec);

    assertThat(cluster.pauses).hasSize(2);
  }

  @Test
  void aLongOneIsNotTriedForEver() {
    cluster.simulator.faults().always(CallKind.CREATE_POD, Fault.status(500));

    assertThatThrownBy(() -> backend.acquire(spec))
        .isInstanceOf(BackendException.Unavailable.class)
        .hasMessageContaining("500");
    assertThat(cluster.simulator.calls(CallKind.CREATE_POD)).hasSize(Patience.ATTEMPTS);
  }

  @Test
  void aSlowStartIsWaitedFor() throws InterruptedException {
    cluster.simulator.startUp(Duration.ofSeconds(2));

    assertThat(backend.acquire(spec)).isNotNull();
  }

  @Test
  void oneThatIsNoLongerWantedIsDeleted() throws InterruptedException {
    cluster.simulator.startUp(Duration.ofMinutes(1));
    var starting =
        Thread.ofVirtual()
            .unstarted(() -> {
              try {
                backend.acquire(spec);
              } catch (InterruptedException cancelled) {
                Thread.currentThread().interrupt();
              }
            });
    starting.start();
    Await.until(Duration.ofSeconds(20), cluster.simulator::pods, pods -> !pods.isEmpty());

    starting.interrupt();

    assertThat(starting.join(Duration.ofSeconds(20))).isTrue();
    assertThat(cluster.simulator.pods()).isEmpty();
  }

  @Test
  void aPodOfThatNameThatSomebodyElseMadeIsLeftAlone() {
    var stranger = new PodBuilder();
    stranger.withNewMetadata().withName(spec.key().value()).endMetadata();
    stranger
        .withNewSpec()
        .addNewContainer()
        .withName("web")
        .withImage("web")
        .endContainer()
        .endSpec();
    cluster.operator.pods().inNamespace("default").resource(stranger.build()).create();

    assertThatThrownBy(() -> backend.acquire(spec))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("did not make");
    assertThat(cluster.simulator.pods()).hasSize(1);
  }

  @Test
  void aCredentialThatIsNotTakenIsRejectedAndNotNamed() {
    cluster.simulator.token("another");

    assertRejectedWith(backend, "401");
    assertThatThrownBy(() -> backend.list(TestingCluster.INSTALLATION))
        .isInstanceOf(BackendException.Rejected.class);
  }

  @Test
  void aClusterThatEchoesTheCredentialIsNotQuotedWithIt() {
    var echo =
        "{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":422,\"message\":\"no: "
            + TestingCluster.TOKEN
            + "\"}";
    cluster.simulator.faults().next(CallKind.CREATE_POD, new Fault.Answer(422, Map.of(), echo));

    assertRejectedWith(backend, "no: [secret]");
  }

  @Test
  void aClusterThatIsNotThereIsUnavailable() throws IOException {
    int free;
    try (var socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    var nowhere =
        cluster.simulator.kubeconfig().replace(cluster.simulator.url(), "http://127.0.0.1:" + free);
    try (var other =
        new KubernetesBackendProvider(new java.security.SecureRandom())
            .open(
                KubernetesBackends.config(nowhere, "default", Map.of()),
                TestingCluster.impatient(),
                cluster.pauses::add)) {
      assertThatThrownBy(() -> other.acquire(spec))
          .isInstanceOf(BackendException.Unavailable.class)
          .hasMessageContaining("could not be reached");
    }
  }

  /** case 103: whatever ids there are, names are ours. */
  @Test
  void namesAreLabelsOfTheDnsAndDifferForDifferentSandboxes() {
    var names =
        IntStream.range(0, 200)
            .mapToObj(number ->
                SandboxSpec.of(
                        TestingCluster.INSTALLATION,
                        new UUID(-1L, -number),
                        number % 2 == 0 ? 1 : 999_999,
                        Size.SMALL,
                        Duration.ofHours(1))
                    .key()
                    .value())
            .toList();

    assertThat(names)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"));
  }
}
