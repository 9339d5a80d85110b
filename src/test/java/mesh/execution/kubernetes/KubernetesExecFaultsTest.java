package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.simulator.kubernetes.CallKind;
import mesh.simulator.kubernetes.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the adapter makes of exec sockets that fail. */
@BesideOthers
class KubernetesExecFaultsTest {

  private TestingCluster cluster;
  private PodBackend backend;
  private Sandbox sandbox;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    cluster = new TestingCluster();
    backend = cluster.open();
    sandbox = backend.acquire(TestingCluster.spec());
    cluster.pauses.clear();
  }

  @AfterEach
  void stop() {
    backend.close();
    cluster.close();
  }

  private void next(Fault fault) {
    cluster.simulator.faults().next(CallKind.EXEC, fault);
  }

  private Outcome append(String line, String then) throws InterruptedException {
    return TestingCluster.run(sandbox, "echo " + line + " >> effect; " + then);
  }

  private String lines() throws InterruptedException {
    var read = (FileRead.Content) sandbox.read(sandbox.project().resolve("effect"), 0, 100);
    return new String(read.bytes(), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 429, 500, 503})
  void aSocketThatWasRefusedIsTriedAgain(int status) throws InterruptedException {
    cluster.simulator.faults().next(2, CallKind.EXEC, Fault.status(status));

    assertThat(append("x", "exit 3")).isEqualTo(new Outcome.Exited(3, 0));

    assertThat(lines()).isEqualTo("x\n");
  }

  @Test
  void aContainerThatItsNodeDoesNotKnowYetIsTriedAgain() throws InterruptedException {
    cluster.simulator.faults().next(2, CallKind.EXEC, new Fault.ContainerNotFound());

    assertThat(append("x", "true")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(lines()).isEqualTo("x\n");
    assertThat(cluster.pauses).hasSize(2);
  }

  @Test
  void aPodThatIsSaidNotToBeThereAndIsIsNotGone() throws InterruptedException {
    next(Fault.status(404));

    assertThat(append("x", "true")).isEqualTo(new Outcome.Exited(0, 0));
  }

  @Test
  void noRightToRunCommandsIsRejected() {
    cluster.simulator.faults().always(CallKind.EXEC, Fault.status(403));

    assertThatThrownBy(() -> append("x", "true")).isInstanceOf(BackendException.Rejected.class);
  }

  @Test
  void aConnectionThatDropsBeforeTheProgramRunsRunsNothingTwice() throws InterruptedException {
    next(new Fault.DroppedBefore());
    next(new Fault.CutAfter(0));

    assertThat(append("x", "true")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(lines()).isEqualTo("x\n");
  }

  @Test
  void aCommandWhoseResultWasLostIsUnknownAndNotRunAgain() throws InterruptedException {
    next(new Fault.CutAfter(20));

    assertThat(append("x", "echo 12345678901234567890; echo more"))
        .isInstanceOf(Outcome.Unknown.class);

    assertThat(lines()).isEqualTo("x\n");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theStatusIsNotNeededOnceTheOutputIsComplete(boolean withCloseFrame)
      throws InterruptedException {
    next(new Fault.NoStatus(withCloseFrame));

    assertThat(append("x", "exit 4")).isEqualTo(new Outcome.Exited(4, 0));
  }

  @Test
  void aStatusThatComesLateHoldsNothingUp() throws InterruptedException {
    next(new Fault.LateStatus(Duration.ofSeconds(20)));

    long start = System.nanoTime();
    assertThat(append("x", "exit 5")).isEqualTo(new Outcome.Exited(5, 0));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
  }

  /** case 13: even the first line waits for its own end, so this one is begun again. */
  @Test
  void outputThatWasCutIsNeverASuccess() throws InterruptedException {
    next(new Fault.LostTail(45));

    var printed = TestingCluster.printed(sandbox, "echo x >> effect; seq 1 20000");

    assertThat(printed).endsWith("\n20000\n");
    assertThat(lines()).isEqualTo("x\n");
  }

  /** case 13 */
  @Test
  void aConnectionThatEndsInTheMiddleOfOutputIsNeverASuccess() throws InterruptedException {
    next(new Fault.CutAfter(100_000));

    assertThat(append("x", "seq 1 20000")).isInstanceOf(Outcome.Unknown.class);
  }

  /** case 13 */
  @Test
  void aSlowReaderGetsAllOfALongOutput() throws InterruptedException {
    var bytes = new AtomicLong();

    var outcome =
        sandbox.exec(
            TestingCluster.script(sandbox, "seq 1 2000000"),
            (_, piece) -> {
              bytes.addAndGet(piece.remaining());
              LockSupport.parkNanos(2_000_000);
            });

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(bytes).hasValue(14_888_896);
  }

  /** case 38 */
  @Test
  void twoHundredCommandsAtOnceAllEndAsTheyDo() throws InterruptedException, ExecutionException {
    long start = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<Outcome>>();
      for (int number = 0; number < 200; number++) {
        var script = "echo o; echo e >&2; exit " + number % 100;
        running.add(threads.submit(() -> TestingCluster.run(sandbox, script)));
      }
      for (int number = 0; number < 200; number++) {
        assertThat(running.get(number).get()).isEqualTo(new Outcome.Exited(number % 100, 0));
      }
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(2));
  }

  /** case 99 */
  @ParameterizedTest
  @ValueSource(strings = {Session.V4, Session.V5})
  void filesAreWrittenWholeByEitherProtocol(String protocol) throws InterruptedException {
    cluster.simulator.execProtocols(protocol);
    for (int length : List.of(0, 1 << 20)) {
      var content = new byte[length];
      new Random(7).nextBytes(content);
      var file = sandbox.project().resolve("file-" + length);

      assertThat(sandbox.write(file, content, FileMode.KEEP))
          .isEqualTo(new FileWrite.Written(length));

      assertThat(sandbox.read(file, 0, FileRead.MAX_BYTES))
          .isInstanceOfSatisfying(
              FileRead.Content.class, it -> assertThat(it.bytes()).isEqualTo(content));
    }
  }

  @Test
  void aClusterThatSpeaksNeitherIsToldApart() {
    cluster.simulator.execProtocols("v3.channel.k8s.io");

    assertThatThrownBy(() -> append("x", "true")).isInstanceOf(BackendException.class);
  }

  @Test
  void aCommandThatLeavesMuchInputUnreadEndsByItself() throws InterruptedException {
    var command = TestingCluster.script(sandbox, "exit 6").withStdin(new byte[1 << 20]);

    assertThat(sandbox.exec(command, (_, _) -> {})).isEqualTo(new Outcome.Exited(6, 0));
  }

  @Test
  void aWriteWhoseResultWasLostIsDoneAgain() throws InterruptedException {
    var file = sandbox.project().resolve("f");
    next(new Fault.CutAfter(10));

    assertThat(sandbox.write(file, "content".getBytes(UTF_8), FileMode.PRIVATE))
        .isEqualTo(new FileWrite.Written(7));
  }
}
