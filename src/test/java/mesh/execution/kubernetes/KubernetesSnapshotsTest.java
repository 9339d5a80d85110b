package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.EgressControl;
import mesh.execution.EgressPolicy;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.Outcome;
import mesh.execution.Snapshotter;
import mesh.simulator.kubernetes.CallKind;
import mesh.simulator.kubernetes.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots of project volumes, and clusters that do not make them. */
@BesideOthers
class KubernetesSnapshotsTest {

  private static final CallKind CREATE = new CallKind("create", "volumesnapshots");

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

  private Snapshotter snapshotter() {
    return (Snapshotter) backend;
  }

  @Test
  void whatLiesInTheHomeDirectoryIsNotKept() throws InterruptedException {
    var first = backend.acquire(TestingCluster.spec());
    first.write(first.home().resolve(".token"), "secret".getBytes(UTF_8), FileMode.PRIVATE);
    first.write(first.project().resolve("f"), "kept".getBytes(UTF_8), FileMode.KEEP);
    var snapshot = snapshotter().capture(first.ref(), first.project(), UUID.randomUUID());
    var fresh = backend.acquire(TestingCluster.spec());

    var restored = snapshotter().restore(fresh.ref(), snapshot, fresh.project());

    assertThat(restored.ref()).isEqualTo(fresh.ref());
    assertThat(TestingCluster.printed(restored, "cat f")).isEqualTo("kept");
    assertThat(restored.read(restored.home().resolve(".token"), 0, 1))
        .isEqualTo(new FileRead.Absent());
    assertThat(TestingCluster.run(backend.attach(fresh.ref()), "exit 3"))
        .isEqualTo(new Outcome.Exited(3, 0));
  }

  @Test
  void aSnapshotWhoseAnswerWasLostIsMadeOnce() throws InterruptedException {
    var sandbox = backend.acquire(TestingCluster.spec());
    cluster.simulator.faults().next(CREATE, new Fault.LostResponse());

    var snapshot = snapshotter().capture(sandbox.ref(), sandbox.project(), new UUID(1, 2));

    assertThat(snapshot.reveal()).isEqualTo("mesh-snapshot-" + new UUID(1, 2));
  }

  @Test
  void aClusterWithoutAnybodyWhoTakesThemIsGivenUpOn() throws InterruptedException {
    cluster.simulator.snapshotsReady(false);
    var sandbox = backend.acquire(TestingCluster.spec());

    assertThatThrownBy(
            () -> snapshotter().capture(sandbox.ref(), sandbox.project(), UUID.randomUUID()))
        .isInstanceOf(BackendException.Unavailable.class)
        .hasMessageContaining("snapshot controller");
  }

  @Test
  void aClassThatIsNotThereIsToldInTheClustersWords() throws InterruptedException {
    try (var other = cluster.open(Map.of(KubernetesBackendProvider.SNAPSHOT_CLASS, "none"))) {
      var sandbox = other.acquire(TestingCluster.spec());

      assertThatThrownBy(() ->
              ((Snapshotter) other).capture(sandbox.ref(), sandbox.project(), UUID.randomUUID()))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining("\"none\" not found");
    }
  }

  @Test
  void aRestoredSandboxKeepsItsEgressPolicy() throws InterruptedException {
    var first = backend.acquire(TestingCluster.spec());
    var snapshot = snapshotter().capture(first.ref(), first.project(), UUID.randomUUID());
    var fresh =
        ((EgressControl) backend).acquire(TestingCluster.spec(), new EgressPolicy(Set.of()));

    var restored = snapshotter().restore(fresh.ref(), snapshot, fresh.project());

    assertThat(Reach.of(restored)).isEmpty();
  }
}
