package mesh.simulator.modal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mesh.BesideOthers;
import modal.client.GenericResult.GenericStatus;
import modal.client.Resources;
import modal.client.SandboxGetTaskIdRequest;
import org.junit.jupiter.api.Test;

/** How sandboxes end, and everything in them. */
@BesideOthers
class ModalEndTest extends SimulatorTest {

  ModalEndTest() throws IOException {}

  @Test
  void theMainCommandsEndIsTheSandboxs() {
    var sandbox =
        client.create(client.definition().addAllEntrypointArgs(List.of("sh", "-c", "exit 7")));

    var result = client.result(sandbox.id(), 10);

    assertThat(result.getStatus()).isEqualTo(GenericStatus.GENERIC_STATUS_FAILURE);
    assertThat(result.getExitcode()).isEqualTo(7);
  }

  @Test
  void aSandboxThatRunsHasNoResult() {
    var sandbox = client.create();

    assertThat(client.result(sandbox.id(), 0).getStatusValue()).isZero();
    assertThat(client.result(sandbox.id(), 0.2f).getStatusValue()).isZero();
  }

  @Test
  void aFinishedSandboxsCommandsAreNotFound() {
    var sandbox = client.create();
    var exec = sandbox.start("sleep 3631");

    sandbox.terminate();

    assertThat(alive("3631")).isZero();
    assertFails(Status.Code.NOT_FOUND, () -> sandbox.start("true"));
    assertFails(Status.Code.NOT_FOUND, () -> sandbox.exit(exec));
    assertFails(Status.Code.NOT_FOUND, () -> sandbox.out(exec));
    var task =
        client
            .control()
            .sandboxGetTaskIdV2(
                SandboxGetTaskIdRequest.newBuilder().setSandboxId(sandbox.id()).build());
    assertThat(task.hasTaskId()).isTrue();
    assertThat(task.getTaskResult().getStatus()).isEqualTo(GenericStatus.GENERIC_STATUS_TERMINATED);
  }

  @Test
  void theLifetimeEndsASandboxWhateverItDoes() {
    var sandbox = client.create(client.definition().setTimeoutSecs(2));
    var exec = sandbox.start("trap '' TERM; sleep 3632");

    assertThat(sandbox.exit(exec).getSignal()).isEqualTo(9);

    assertThat(client.result(sandbox.id(), 0).getStatus())
        .isEqualTo(GenericStatus.GENERIC_STATUS_TIMEOUT);
    assertThat(alive("3632")).isZero();
  }

  @Test
  void anIdleSandboxEndsAndABusyOneDoesNot() {
    var sandbox = client.create(client.definition().setIdleTimeoutSecs(1));
    var exec = sandbox.start("sleep 2.5; echo busy");

    assertThat(sandbox.exit(exec).getCode()).isZero();

    assertThat(client.result(sandbox.id(), 10).getStatus())
        .isEqualTo(GenericStatus.GENERIC_STATUS_IDLE_TIMEOUT);
  }

  @Test
  void tooMuchMemoryEndsTheWholeSandbox() {
    var sandbox =
        client.create(
            client
                .definition()
                .setResources(Resources.newBuilder().setMemoryMb(32).setMemoryMbMax(96)));
    var innocent = sandbox.start("sleep 3633");

    assertThat(sandbox.run("head -c 20m /dev/zero | tail | wc -c")).isEqualTo("20971520\n");
    var greedy = sandbox.start("head -c 400m /dev/zero | tail; sleep 3633");

    assertThat(sandbox.exit(greedy).getSignal()).isEqualTo(9);
    var result = client.result(sandbox.id(), 0);
    assertThat(result.getStatus()).isEqualTo(GenericStatus.GENERIC_STATUS_FAILURE);
    assertThat(result.getExitcode()).isEqualTo(137);
    assertThat(result.getException()).contains("out of memory");
    assertFails(Status.Code.NOT_FOUND, () -> sandbox.exit(innocent));
    assertThat(alive("3633")).isZero();
  }

  @Test
  void nothingIsLeftOnceItIsClosed() {
    var sandbox = client.create();
    sandbox.start("setsid sleep 3634 & setsid setsid sleep 3634");
    await(() -> alive("3634") == 2);

    vendor.close();

    assertThat(alive("3634")).isZero();
    assertThat(vendor.folder()).doesNotExist();
  }

  @Test
  void aCallThatWaitsOutlivesTheClientsPings() throws Exception {
    // OkHttp's client pings no more often than that.
    try (var patient = new ProtocolClient(vendor, 10)) {
      var sandbox = patient.create();
      var exec = sandbox.start("sleep 13; exit 3");

      var exit = CompletableFuture.supplyAsync(() -> sandbox.exit(exec));

      assertThat(exit.get(25, TimeUnit.SECONDS).getCode()).isEqualTo(3);
    }
  }

  private static long alive(String seconds) {
    return ProcessHandle.allProcesses()
        .map(it -> Path.of("/proc/" + it.pid() + "/cmdline"))
        .filter(it -> contentOf(it).equals("sleep\0" + seconds + "\0"))
        .count();
  }

  private static String contentOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // The process has ended meanwhile.
      return "";
    }
  }
}
