package mesh.execution.modal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import mesh.Await;
import mesh.BesideOthers;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.Sandbox;
import mesh.simulator.modal.Fault;
import modal.client.ModalClientGrpc;
import modal.router.TaskCommandRouterGrpc;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a command when the vendor fails. */
@BesideOthers
class ModalCommandFaultsTest extends SimulatedModal {

  private static final MethodDescriptor<?, ?> START =
      TaskCommandRouterGrpc.getTaskExecStartMethod();
  private static final MethodDescriptor<?, ?> READ =
      TaskCommandRouterGrpc.getTaskExecStdioReadMethod();
  private static final MethodDescriptor<?, ?> WRITE =
      TaskCommandRouterGrpc.getTaskExecStdinWriteMethod();
  private static final MethodDescriptor<?, ?> ACCESS =
      ModalClientGrpc.getSandboxGetCommandRouterAccessMethod();

  private static final Duration LONG = Duration.ofSeconds(30);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Sandbox sandbox;

  @BeforeEach
  void acquire() throws InterruptedException {
    sandbox = backend.acquire(spec);
    vendor.forgetCalls();
  }

  private String id() {
    return sandbox.ref().reveal();
  }

  private void keep(Channel channel, ByteBuffer bytes) {
    if (channel == Channel.STDOUT) {
      while (bytes.hasRemaining()) {
        printed.write(bytes.get());
      }
    }
  }

  private Outcome exec(String script) throws InterruptedException {
    return exec(sandbox, script, LONG);
  }

  private Outcome exec(Sandbox in, String script, Duration timeout) throws InterruptedException {
    return in.exec(Command.of(List.of("sh", "-c", script), in.project(), timeout), this::keep);
  }

  private String lines() throws InterruptedException {
    var read = (FileRead.Content) sandbox.read(sandbox.project().resolve("effect"), 0, 100);
    return new String(read.bytes(), UTF_8);
  }

  @Test
  void aShortOneTakesFourCalls() throws InterruptedException {
    assertThat(exec("echo hi")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(printed).asString().isEqualTo("hi\n");
    assertThat(vendor.calls())
        .extracting(it -> it.method())
        .containsExactlyInAnyOrder(
            "TaskExecStart", "TaskExecStdioRead", "TaskExecStdioRead", "TaskExecStdinWrite");
  }

  @Test
  void aStartWhoseAnswerWasLostRunsNothingTwice() throws InterruptedException {
    vendor.faults().next(START, new Fault.LostAnswer(Status.UNAVAILABLE));
    vendor.faults().next(START, Fault.unavailable());

    assertThat(exec("echo x >> effect")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(vendor.calls(START)).hasSize(3);
    assertThat(lines()).isEqualTo("x\n");
  }

  @Test
  void aStartThatFailsForGoodIsNoOutcome() {
    vendor.faults().always(START, Fault.unavailable());

    assertThatThrownBy(() -> exec("true")).isInstanceOf(BackendException.Unavailable.class);
  }

  @Test
  void outputThatIsCutIsReadOnFromThere() throws InterruptedException {
    vendor.faults().next(20, READ, new Fault.CutAfter(70_000, Status.UNAVAILABLE));

    assertThat(exec("seq 1 200000")).isEqualTo(new Outcome.Exited(0, 0));

    var expected = new StringBuilder();
    for (int line = 1; line <= 200_000; line++) {
      expected.append(line).append('\n');
    }
    assertThat(printed.toString(UTF_8)).isEqualTo(expected.toString());
    assertThat(vendor.calls(READ)).hasSizeGreaterThan(10);
  }

  @Test
  void outputThatCannotBeReadOnLeavesTheOutcomeUnknown() throws InterruptedException {
    vendor.faults().always(READ, Fault.unavailable());

    assertThat(exec("echo x >> effect")).isInstanceOf(Outcome.Unknown.class);

    // Nor does a program wait for ever that got no input.
    Await.until(Duration.ofSeconds(10), vendor::runningCommands, n -> n == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void inputThatWasCutArrivesOnce(boolean served) throws InterruptedException {
    var content = new byte[3 << 20];
    new Random(1).nextBytes(content);
    var fault = served ? new Fault.LostAnswer(Status.UNAVAILABLE) : Fault.unavailable();
    vendor.faults().next(WRITE, fault);
    vendor.faults().after(2, WRITE, fault);

    var file = sandbox.project().resolve("f");
    assertThat(sandbox.write(file, content, FileMode.KEEP))
        .isEqualTo(new FileWrite.Written(content.length));

    assertThat(sandbox.read(file, 0, content.length))
        .isInstanceOfSatisfying(
            FileRead.Content.class, it -> assertThat(it.bytes()).isEqualTo(content));
    assertThat(vendor.calls(START)).hasSize(2);
  }

  /** With pauses that are real: a connection that was just lost takes a moment to be made. */
  @Test
  void everyConnectionMayBreakMeanwhile() throws InterruptedException {
    var broken = new AtomicBoolean();
    var script = List.of("sh", "-c", "echo 1; sleep 1; echo 2; sleep 1; echo 3");
    try (var other = open(account(), LONG, LONG, time -> LockSupport.parkNanos(time.toNanos()))) {
      var outcome =
          other
              .attach(sandbox.ref())
              .exec(
                  Command.of(script, sandbox.project(), LONG),
                  (channel, bytes) -> {
                    keep(channel, bytes);
                    if (broken.compareAndSet(false, true)) {
                      breakConnections();
                    }
                  });

      assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    }
    assertThat(printed).asString().isEqualTo("1\n2\n3\n");
  }

  private void breakConnections() {
    try {
      vendor.dropConnections();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aTokenThatHasEndedIsFetchedAgain() throws InterruptedException {
    vendor.clock(Clock.offset(Clock.systemUTC(), Duration.ofDays(2)));

    assertThat(exec("echo on")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(printed).asString().isEqualTo("on\n");
    assertThat(vendor.calls(ACCESS)).hasSize(1);
  }

  @Test
  void aTokenThatEndsInTheMiddleIsFetchedAgainAndOutputGoesOn() throws InterruptedException {
    vendor.faults().next(4, READ, new Fault.CutAfter(1000, Status.UNAUTHENTICATED));

    assertThat(exec("seq 1 2000")).isEqualTo(new Outcome.Exited(0, 0));

    assertThat(printed.toString(UTF_8).lines().count()).isEqualTo(2000);
  }

  @Test
  void aTokenThatIsNeverTakenIsRejected() {
    vendor.faults().always(START, new Fault.Refuse(Status.UNAUTHENTICATED));

    assertThatThrownBy(() -> exec("true")).isInstanceOf(BackendException.Rejected.class);
  }

  @Test
  void aSandboxThatIsPreemptedTakesItsCommandAlong() {
    assertThatThrownBy(() ->
            sandbox.exec(
                Command.of(List.of("sh", "-c", "echo go; sleep 60"), sandbox.project(), LONG),
                (_, _) -> vendor.preempt(id())))
        .isInstanceOf(BackendException.SandboxGone.class)
        .hasMessageContaining(id());
  }

  @Test
  void aSandboxThatEndedIsGoneForEverybody() throws InterruptedException {
    vendor.preempt(id());
    var file = sandbox.project().resolve("f");

    assertGone(() -> exec("true"));
    assertGone(() -> sandbox.read(file, 0, 1));
    assertGone(() -> sandbox.write(file, new byte[1], FileMode.KEEP));
    assertGone(() -> backend.attach(sandbox.ref()));
  }

  private static void assertGone(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(BackendException.SandboxGone.class);
  }

  @Test
  void aWrapperThatIsKilledLeavesTheOutcomeUnknown() throws InterruptedException {
    assertThat(exec("kill -9 $PPID")).isInstanceOf(Outcome.Unknown.class);
  }

  /** What it ran goes on, and holds the streams open. */
  @Test
  void aWrapperThatIsKilledIsNoticedByItsPulse() throws InterruptedException {
    try (var other = open(account(), Duration.ofMillis(300), LONG)) {
      var same = other.attach(sandbox.ref());

      assertThat(exec(same, "kill -9 $PPID; sleep 60", LONG)).isInstanceOf(Outcome.Unknown.class);

      Await.until(Duration.ofSeconds(10), vendor::runningCommands, n -> n == 0);
    }
  }

  @Test
  void aVendorThatFallsSilentLeavesTheOutcomeUnknownInBoundedTime() throws InterruptedException {
    try (var other = open(account(), Duration.ofMillis(300), Duration.ofSeconds(2))) {
      var same = other.attach(sandbox.ref());
      var command =
          Command.of(List.of("sh", "-c", "echo; sleep 60"), same.project(), LONG.multipliedBy(4));

      long start = System.nanoTime();
      var outcome = same.exec(command, (_, _) -> vendor.silent(true));

      assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(60));
    } finally {
      vendor.silent(false);
    }
  }

  @Test
  void nothingIsLeftAtTheVendor() throws InterruptedException {
    exec("true");
    exec(sandbox, "sleep 30", Duration.ofMillis(300));

    Await.until(Duration.ofSeconds(10), vendor::runningCommands, n -> n == 0);
  }
}
