package mesh.simulator.modal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import modal.client.SecretSource;
import modal.client.StringMap;
import modal.router.TaskExecPollRequest;
import modal.router.TaskExecStdinStatusRequest;
import modal.router.TaskExecStdinStatusResponse;
import modal.router.TaskExecStdinWriteStreamEnd;
import modal.router.TaskExecStdinWriteStreamRequest;
import modal.router.TaskExecStdinWriteStreamResponse;
import modal.router.TaskExecStdinWriteStreamStart;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ModalExecTest extends SimulatorTest {

  private ProtocolClient.Running sandbox;

  ModalExecTest() throws IOException {}

  @BeforeEach
  void create() {
    sandbox = client.create();
  }

  @Test
  void aCommandIsStartedOncePerId() {
    var command = sandbox.command("sh", "-c", "echo once >> /workspace/starts");

    sandbox.exit(sandbox.start(command));
    sandbox.exit(sandbox.start(command));

    assertThat(sandbox.run("cat /workspace/starts")).isEqualTo("once\n");
  }

  @Test
  void outputCanBeReadFromAnyOffsetAlsoAfterTheEnd() {
    var exec = sandbox.start("printf 0123456789; printf abc >&2; exit 3");

    assertThat(sandbox.exit(exec).getCode()).isEqualTo(3);
    assertThat(ProtocolClient.all(sandbox.read(exec, 4, 0))).isEqualTo("456789");
    assertThat(ProtocolClient.all(sandbox.read(exec, 10, 0))).isEmpty();
    assertThat(ProtocolClient.all(sandbox.read(exec, 1, 1))).isEqualTo("bc");
    assertThat(sandbox.out(exec)).isEqualTo("0123456789");
  }

  @Test
  void muchOutputIsReadFromItsFileFromAnyOffset() {
    var exec = sandbox.start("seq 1 200000");
    sandbox.exit(exec);

    var whole = sandbox.out(exec);

    assertThat(whole).hasLineCount(200_000).endsWith("\n200000\n");
    assertThat(ProtocolClient.all(sandbox.read(exec, 1_000_000, 0)))
        .isEqualTo(whole.substring(1_000_000));
  }

  @Test
  void aStreamThatIsReadWhileItGrowsEndsWithIt() {
    var exec = sandbox.start("echo one; read line; echo $line");

    var stream = sandbox.read(exec, 0, 0);
    assertThat(stream.next().getData().toStringUtf8()).isEqualTo("one\n");
    sandbox.write(exec, 0, "two\n", true);

    assertThat(ProtocolClient.all(stream)).isEqualTo("two\n");
  }

  @Test
  void inputThatIsSentAgainIsDropped() {
    var exec = sandbox.start(sandbox.command("cat"));

    sandbox.write(exec, 0, "hello ", false);
    sandbox.write(exec, 0, "hello ", false);
    sandbox.write(exec, 3, "lo world", false);
    assertFails(
        Status.Code.FAILED_PRECONDITION, () -> sandbox.write(exec, 99, "no such place", false));
    sandbox.write(exec, 11, "", true);
    sandbox.write(exec, 11, "", true);

    assertThat(sandbox.out(exec)).isEqualTo("hello world");
  }

  @Test
  void aStreamOfInputThatBreaksOffIsContinued() throws Exception {
    var exec = sandbox.start(sandbox.command("cat"));
    var broken = new Answered();
    var first = client.streams(sandbox.token()).taskExecStdinWriteStream(broken);
    first.onNext(beginning(exec, 0));
    first.onNext(data("hello "));
    // Not by asking how much was written: that ends the stream, maybe before its first message.
    assertThat(sandbox.read(exec, 0, 0).next().getData().toStringUtf8()).isEqualTo("hello ");
    assertThat(status(exec).getNumBytesWritten()).isEqualTo(6);
    first.onError(new IOException("the network is gone"));

    var answered = new Answered();
    var second = client.streams(sandbox.token()).taskExecStdinWriteStream(answered);
    second.onNext(beginning(exec, 6));
    second.onNext(data("world"));
    second.onNext(
        TaskExecStdinWriteStreamRequest.newBuilder()
            .setEnd(TaskExecStdinWriteStreamEnd.getDefaultInstance())
            .build());
    second.onCompleted();

    answered.done.get(20, TimeUnit.SECONDS);
    assertThat(sandbox.out(exec)).isEqualTo("hello world");
    assertThat(status(exec).getClosed()).isTrue();
  }

  @Test
  void inputOfACommandThatHasEndedIsRefused() {
    var exec = sandbox.start("exec <&-; exit 0");
    sandbox.exit(exec);

    assertFails(Status.Code.FAILED_PRECONDITION, () -> sandbox.write(exec, 0, "late", false));
  }

  @Test
  void timeIsUpWithSigkill() {
    var exec = sandbox.start(sandbox.command("sleep", "30").setTimeoutSecs(1));

    assertThat(sandbox.exit(exec).getSignal()).isEqualTo(9);
  }

  @Test
  void aCommandThatRunsHasNoExit() {
    var exec = sandbox.start(sandbox.command("cat"));
    var question =
        TaskExecPollRequest.newBuilder().setTaskId(sandbox.task()).setExecId(exec).build();

    var running = sandbox.router().taskExecPoll(question);
    sandbox.write(exec, 0, "", true);
    sandbox.exit(exec);

    assertThat(running.hasCode()).isFalse();
    assertThat(running.hasSignal()).isFalse();
    assertThat(sandbox.router().taskExecPoll(question).hasCode()).isTrue();
  }

  @Test
  void aProgramThatIsNotThereIs127() {
    var exec = sandbox.start(sandbox.command("/no/such/program"));

    assertThat(sandbox.exit(exec).getCode()).isEqualTo(127);
  }

  @Test
  void laterSourcesOfTheEnvironmentWin() {
    var exec =
        sandbox.start(
            sandbox
                .command("sh", "-c", "echo $A $B $HOME; pwd; id -u")
                .putEnv("A", "1")
                .putEnv("B", "2")
                .setWorkdir("/tmp")
                .addSecretSources(
                    SecretSource.newBuilder()
                        .setEnv(StringMap.newBuilder().putContents("A", "3"))));

    assertThat(sandbox.out(exec)).isEqualTo("3 2 /root\n/tmp\n0\n");
  }

  @Test
  void aTokenIsForOneTaskOnly() {
    var other = client.create();
    var exec = other.start("true");

    assertFails(
        Status.Code.PERMISSION_DENIED,
        () ->
            client
                .router(sandbox.token())
                .taskExecPoll(
                    TaskExecPollRequest.newBuilder()
                        .setTaskId(other.task())
                        .setExecId(exec)
                        .build()));
  }

  @Test
  void theMachinesProgramsCannotBeChangedAndAllElseCan() {
    var exec = sandbox.start("touch /usr/bin/mine; umount /usr; ls /usr/bin/mine");
    assertThat(sandbox.exit(exec).getCode()).isNotZero();

    assertThat(
            sandbox.run(
                "mkdir -p /data/x && echo hi > /data/x/y && cat /data/x/y && touch /root/z"
                    + " && ls -A /root && ls -d /work* /__modal 2> /dev/null; true"))
        .isEqualTo("hi\nz\n/workspace\n");
  }

  private TaskExecStdinStatusResponse status(String exec) {
    return sandbox
        .router()
        .taskExecStdinStatus(
            TaskExecStdinStatusRequest.newBuilder()
                .setTaskId(sandbox.task())
                .setExecId(exec)
                .build());
  }

  private TaskExecStdinWriteStreamRequest beginning(String exec, long offset) {
    return TaskExecStdinWriteStreamRequest.newBuilder()
        .setStart(
            TaskExecStdinWriteStreamStart.newBuilder()
                .setTaskId(sandbox.task())
                .setExecId(exec)
                .setOffset(offset))
        .build();
  }

  private static TaskExecStdinWriteStreamRequest data(String text) {
    return TaskExecStdinWriteStreamRequest.newBuilder()
        .setData(ByteString.copyFromUtf8(text))
        .build();
  }

  private static final class Answered implements StreamObserver<TaskExecStdinWriteStreamResponse> {
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    @Override
    public void onNext(TaskExecStdinWriteStreamResponse answer) {}

    @Override
    public void onError(Throwable trouble) {
      done.completeExceptionally(trouble);
    }

    @Override
    public void onCompleted() {
      done.complete(null);
    }
  }
}
