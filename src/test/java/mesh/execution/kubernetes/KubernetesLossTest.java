package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.InventoryEntry;
import mesh.execution.Outcome;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.simulator.kubernetes.CallKind;
import mesh.simulator.kubernetes.Fault;
import mesh.simulator.kubernetes.OutOfMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of pods that end, are replaced or are listed in part. */
@BesideOthers
class KubernetesLossTest {

  private final SandboxSpec spec = TestingCluster.spec();
  private final String name = spec.key().value();
  private TestingCluster cluster;
  private PodBackend backend;
  private Sandbox sandbox;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    cluster = new TestingCluster();
    backend = cluster.open();
    sandbox = backend.acquire(spec);
  }

  @AfterEach
  void stop() {
    backend.close();
    cluster.close();
  }

  private void assertGone(String... words) {
    assertThatThrownBy(() -> backend.attach(sandbox.ref()))
        .isInstanceOf(BackendException.SandboxGone.class)
        .hasMessageContainingAll(words);
    assertThatThrownBy(() -> TestingCluster.run(sandbox, "true"))
        .isInstanceOf(BackendException.SandboxGone.class)
        .hasMessageContainingAll(words);
  }

  /** As a controller would that makes up for a pod that was lost. */
  private Pod replace() {
    var pods = cluster.operator.pods().inNamespace("default");
    var old = pods.withName(name).get();
    pods.withName(name).withGracePeriod(0).delete();
    Await.until(Duration.ofSeconds(20), cluster.simulator::pods, List::isEmpty);
    var copy =
        new PodBuilder(old)
            .editMetadata()
            .withUid(null)
            .withResourceVersion(null)
            .withCreationTimestamp(null)
            .withDeletionTimestamp(null)
            .endMetadata()
            .withStatus(null)
            .editSpec()
            .withNodeName(null)
            .endSpec()
            .build();
    pods.resource(copy).create();
    return Await.until(Duration.ofSeconds(20), () -> pods.withName(name).get(), Startup::runs);
  }

  /** case 94 */
  @Test
  void aPodThatWasReplacedIsAStranger() throws InterruptedException {
    sandbox.write(sandbox.project().resolve("f"), "state".getBytes(UTF_8), FileMode.KEEP);

    var other = replace();

    assertGone("was replaced");
    assertThat(backend.release(sandbox.ref())).isEqualTo(Release.DESTROYED);
    assertThat(cluster.operator.pods().inNamespace("default").withName(name).get())
        .extracting(it -> it.getMetadata().getUid())
        .isEqualTo(other.getMetadata().getUid());
  }

  /** case 102 */
  @ParameterizedTest
  @ValueSource(strings = {"deleted", "evicted"})
  void aPodThatEndsDuringACommandIsInfrastructure(String how)
      throws InterruptedException, ExecutionException {
    var runs = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var script = TestingCluster.script(sandbox, "echo go; sleep 20");
      var running = threads.submit(() -> sandbox.exec(script, (_, _) -> runs.countDown()));
      runs.await();

      if (how.equals("deleted")) {
        cluster.simulator.delete("default", name);
      } else {
        cluster.simulator.evict("default", name, "low on memory");
      }

      assertThatThrownBy(running::get)
          .cause()
          .isInstanceOf(BackendException.SandboxGone.class)
          .hasMessageContaining(how.equals("deleted") ? "deleted" : "Evicted");
    }
    assertThat(backend.release(sandbox.ref())).isEqualTo(Release.DESTROYED);
  }

  @Test
  void anEvictionSaysWhy() {
    cluster.simulator.evict("default", name, "The node was low on resource: ephemeral-storage.");
    Await.until(
        Duration.ofSeconds(10),
        () -> cluster.operator.pods().inNamespace("default").withName(name).get(),
        it -> it.getStatus().getPhase().equals("Failed"));

    assertGone("Evicted", "ephemeral-storage");
  }

  @Test
  void theEndOfItsTimeIsToldAsSuch() throws InterruptedException {
    var brief =
        SandboxSpec.of(
            TestingCluster.INSTALLATION,
            UUID.randomUUID(),
            1,
            mesh.execution.Size.SMALL,
            Duration.ofSeconds(1));
    var passing = backend.acquire(brief);
    Await.until(
        Duration.ofSeconds(20),
        () -> cluster.operator.pods().inNamespace("default").withName(brief.key().value()).get(),
        it -> it.getStatus().getPhase().equals("Failed"));

    assertThatThrownBy(() -> backend.attach(passing.ref()))
        .isInstanceOf(BackendException.SandboxGone.class)
        .hasMessageContaining("DeadlineExceeded");
  }

  /** case 101 */
  @ParameterizedTest
  @EnumSource(
      value = OutOfMemory.class,
      names = {"KILLS_CONTAINER", "KILLS_CONTAINER_AND_SAYS_ZERO"})
  void whatRanOutOfMemoryIsToldSoWhateverItsExitCode(OutOfMemory how) throws InterruptedException {
    cluster.simulator.outOfMemory(how);

    assertThat(TestingCluster.run(sandbox, "tail /dev/zero")).isEqualTo(new Outcome.OutOfMemory());

    assertGone("OOMKilled");
  }

  @Test
  void anExitWith137IsNoSignOfMemory() throws InterruptedException {
    assertThat(TestingCluster.run(sandbox, "kill -9 $$")).isEqualTo(new Outcome.Signalled(9, 0));
  }

  /** case 123 */
  @Test
  void aSandboxIsFoundAgainAndAMissingOneIsKnownAtOnce() throws InterruptedException {
    sandbox.write(sandbox.project().resolve("f"), "kept".getBytes(UTF_8), FileMode.KEEP);
    try (var second = cluster.open()) {
      assertThat(TestingCluster.printed(second.acquire(spec), "cat f")).isEqualTo("kept");
      assertThat(cluster.simulator.pods()).hasSize(1);
    }
    var missing = ExternalRef.of(TestingCluster.spec().key().value() + "/" + UUID.randomUUID());

    long start = System.nanoTime();
    assertThatThrownBy(() -> backend.attach(missing))
        .isInstanceOf(BackendException.SandboxGone.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  void aReleaseWhoseAnswerWasLostIsDone() throws InterruptedException {
    cluster.simulator.faults().next(CallKind.DELETE_POD, new Fault.LostResponse());
    cluster.simulator.faults().next(CallKind.DELETE_POD, Fault.status(503));

    assertThat(backend.release(sandbox.ref())).isEqualTo(Release.DESTROYED);

    assertThat(cluster.simulator.pods()).isEmpty();
  }

  /** Of a node that is lost nobody knows whether its pod still runs. */
  @Test
  void aPodOnALostNodeIsNotSaidToBeDestroyed() {
    cluster.simulator.loseNode("default", name);

    assertThatThrownBy(() -> backend.release(sandbox.ref()))
        .isInstanceOf(BackendException.Unavailable.class)
        .hasMessageContaining("still has the pod");
  }

  @Test
  void anUninstallTakesEverythingAlong() {
    cluster
        .operator
        .configMaps()
        .inNamespace("default")
        .withName("mesh-" + TestingCluster.INSTALLATION.value())
        .delete();

    Await.until(Duration.ofSeconds(20), cluster.simulator::pods, List::isEmpty);
  }

  @Test
  void strangersAreCountedAndADeadPodOfOursIsListed() throws InterruptedException {
    var stranger = new PodBuilder();
    stranger.withNewMetadata().withName("web").endMetadata();
    stranger
        .withNewSpec()
        .addNewContainer()
        .withName("web")
        .withImage("web")
        .endContainer()
        .endSpec();
    cluster.operator.pods().inNamespace("default").resource(stranger.build()).create();
    cluster.simulator.evict("default", name, "gone");

    var inventory = backend.list(TestingCluster.INSTALLATION);

    assertThat(inventory.entries()).extracting(InventoryEntry::ref).containsExactly(sandbox.ref());
    assertThat(inventory.unmarked()).isEqualTo(1);
    assertThat(inventory.others()).isZero();
  }

  @Test
  void aListThatExpiredHalfWayIsBegunAnew() throws InterruptedException {
    cluster.simulator.faults().next(CallKind.LIST_PODS, Fault.status(410));

    assertThat(backend.list(TestingCluster.INSTALLATION).entries()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"kind\":\"PodList\"}", "<html>gateway</html>", "null", ""})
  void whatIsNoListIsNotTakenForAnEmptyOne(String body) {
    cluster
        .simulator
        .faults()
        .always(
            CallKind.LIST_PODS,
            new Fault.Answer(200, Map.of("Content-Type", "application/json"), body));

    assertThatThrownBy(() -> backend.list(TestingCluster.INSTALLATION))
        .isInstanceOf(BackendException.class);
  }

  @Test
  void manyPagesAreOneList() throws InterruptedException {
    IntStream.range(0, 260)
        .forEach(number -> {
          var pod = new PodBuilder();
          pod.withNewMetadata().withName("idle-" + number).endMetadata();
          pod.withNewSpec()
              .addNewContainer()
              .withName("idle")
              .withImage("nope")
              .endContainer()
              .endSpec();
          cluster.operator.pods().inNamespace("default").resource(pod.build()).create();
        });

    var inventory = backend.list(TestingCluster.INSTALLATION);

    assertThat(inventory.entries()).hasSize(1);
    assertThat(inventory.unmarked()).isEqualTo(260);
  }
}
