package mesh.simulator.modal;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static modal.client.ModalClientGrpc.getAppGetOrCreateMethod;
import static modal.client.ModalClientGrpc.getSandboxCreateV2Method;
import static modal.router.TaskCommandRouterGrpc.getTaskExecStartMethod;
import static modal.router.TaskCommandRouterGrpc.getTaskExecStdioReadMethod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import mesh.BesideOthers;
import modal.client.AppGetOrCreateRequest;
import modal.client.GenericResult.GenericStatus;
import modal.client.ImageJoinStreamingRequest;
import modal.client.ImageJoinStreamingResponse;
import modal.client.RPCRetryPolicy;
import modal.client.SandboxCreateV2Request;
import modal.client.SandboxInfo;
import modal.client.SandboxListRequest;
import org.junit.jupiter.api.Test;

@BesideOthers
class ModalFaultsTest extends SimulatorTest {

  ModalFaultsTest() throws IOException {}

  @Test
  void aFaultStrikesAsOftenAsToldAndOnlyItsMethod() {
    vendor.faults().next(2, getSandboxCreateV2Method(), Fault.unavailable());

    assertFails(Status.Code.UNAVAILABLE, client::create);
    assertFails(Status.Code.UNAVAILABLE, client::create);
    client.create();

    assertThat(vendor.liveSandboxes()).hasSize(1);
    assertThat(vendor.calls(getSandboxCreateV2Method())).hasSize(3);
  }

  @Test
  void aLostAnswersCallTookEffect() {
    vendor.faults().next(getSandboxCreateV2Method(), new Fault.LostAnswer(Status.UNAVAILABLE));

    assertFails(Status.Code.UNAVAILABLE, client::create);

    assertThat(vendor.liveSandboxes()).hasSize(1);
  }

  @Test
  void anEffectMayComeAfterItsError() {
    vendor
        .faults()
        .next(
            getSandboxCreateV2Method(),
            new Fault.LateEffect(Status.UNAVAILABLE, Duration.ofMillis(300)));

    assertFails(Status.Code.UNAVAILABLE, client::create);
    assertThat(vendor.liveSandboxes()).isEmpty();

    await(() -> vendor.liveSandboxes().size() == 1);
  }

  @Test
  void aCallThatIsNotAnsweredMayHaveHadItsEffect() {
    vendor.faults().next(getSandboxCreateV2Method(), new Fault.Hang());
    vendor.faults().next(getSandboxCreateV2Method(), new Fault.Silent());
    var hurried = client.control().withDeadlineAfter(1, SECONDS);
    var request =
        SandboxCreateV2Request.newBuilder()
            .setAppId(client.appId())
            .setDefinition(client.definition())
            .build();

    assertFails(Status.Code.DEADLINE_EXCEEDED, () -> hurried.sandboxCreateV2(request));
    assertThat(vendor.liveSandboxes()).isEmpty();
    var again = client.control().withDeadlineAfter(1, SECONDS);
    assertFails(Status.Code.DEADLINE_EXCEEDED, () -> again.sandboxCreateV2(request));
    assertThat(vendor.liveSandboxes()).hasSize(1);
  }

  @Test
  void whoComesTooOftenIsToldWhenToComeAgain() {
    vendor.faults().next(getSandboxCreateV2Method(), new Fault.Throttle(Duration.ofMillis(1500)));

    assertThatThrownBy(client::create)
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> {
              var details = requireNonNull(StatusProto.fromThrowable(e)).getDetailsList();
              assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
              assertThat(details)
                  .singleElement()
                  .satisfies(it -> {
                    assertThat(it.getTypeUrl()).endsWith("/modal.client.RPCRetryPolicy");
                    assertThat(it.unpack(RPCRetryPolicy.class).getRetryAfterSecs()).isEqualTo(1.5f);
                  });
            });
  }

  @Test
  void aSlowAnswerIsAnAnswer() {
    vendor.faults().next(getAppGetOrCreateMethod(), new Fault.Slow(Duration.ofMillis(200)));
    var started = System.nanoTime();

    client.app("tests");

    assertThat(System.nanoTime() - started).isGreaterThan(MILLISECONDS.toNanos(190));
  }

  @Test
  void aStreamIsCutWhereTold() {
    vendor.faults().next(getTaskExecStdioReadMethod(), new Fault.CutAfter(7, Status.UNAVAILABLE));
    var sandbox = client.create();
    var exec = sandbox.start("printf 0123456789");
    sandbox.exit(exec);

    var stream = sandbox.read(exec, 0, 0);
    assertThat(stream.next().getData().toStringUtf8()).isEqualTo("0123456");
    assertFails(Status.Code.UNAVAILABLE, stream::hasNext);

    assertThat(ProtocolClient.all(sandbox.read(exec, 7, 0))).isEqualTo("789");
  }

  @Test
  void aCommandWhoseStartWasNotAnsweredIsStartedOnce() {
    var sandbox = client.create();
    vendor.faults().next(getTaskExecStartMethod(), new Fault.LostAnswer(Status.UNAVAILABLE));
    var command = sandbox.command("sh", "-c", "echo started >> starts; cat starts");

    assertFails(Status.Code.UNAVAILABLE, () -> sandbox.start(command));
    var exec = sandbox.start(command);

    assertThat(sandbox.out(exec)).isEqualTo("started\n");
  }

  @Test
  void tokensEnd() {
    vendor.routerTokenLifetime(Duration.ZERO);
    vendor.authTokenLifetime(Duration.ZERO);
    var sandbox = client.create();

    assertFails(Status.Code.UNAUTHENTICATED, () -> sandbox.start("true"));
    client.login();
    assertFails(Status.Code.UNAUTHENTICATED, client::create);
  }

  @Test
  void aSandboxMayVanish() {
    var sandbox = client.create();
    sandbox.start("sleep 60");

    vendor.preempt(sandbox.id());

    assertThat(client.result(sandbox.id(), 0).getStatus())
        .isEqualTo(GenericStatus.GENERIC_STATUS_INTERNAL_FAILURE);
    assertFails(Status.Code.NOT_FOUND, () -> sandbox.start("true"));
    assertThat(vendor.runningCommands()).isZero();
  }

  @Test
  void aListThatLagsLacksTheNewAndHasTheFinished() {
    var old = client.create();
    var begin = Instant.now();
    vendor.clock(() -> begin.plusSeconds(60));
    client.login();
    client.create();
    old.terminate();

    vendor.listLag(Duration.ofSeconds(30));
    assertThat(list())
        .singleElement()
        .satisfies(it -> {
          assertThat(it.getId()).isEqualTo(old.id());
          assertThat(it.getMetadata().hasResult()).isFalse();
        });

    vendor.listLag(Duration.ZERO);
    assertThat(list())
        .singleElement()
        .satisfies(it -> assertThat(it.getId()).isNotEqualTo(old.id()));
  }

  private List<SandboxInfo> list() {
    return client
        .control()
        .sandboxListV2(SandboxListRequest.getDefaultInstance())
        .getSandboxesList();
  }

  @Test
  void anImageMayNotBeThere() {
    vendor.unavailableImage("no/such:image", "manifest unknown");

    var image = client.image("no/such:image");

    var items = new ArrayList<ImageJoinStreamingResponse>();
    client
        .control()
        .imageJoinStreaming(ImageJoinStreamingRequest.newBuilder().setImageId(image).build())
        .forEachRemaining(items::add);
    assertThat(items.getLast().getResult().getStatus())
        .isEqualTo(GenericStatus.GENERIC_STATUS_FAILURE);
    assertThat(items.getLast().getResult().getException()).isEqualTo("manifest unknown");
  }

  @Test
  void aSilentNetworkIsNoticedByPingsAlone() throws Exception {
    try (var patient = new ProtocolClient(vendor, 10)) {
      vendor.silent(true);

      var started = System.nanoTime();
      assertFails(Status.Code.UNAVAILABLE, () -> patient.app("tests"));

      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
      vendor.silent(false);
    }
  }

  @Test
  void connectionsMayBreak() throws Exception {
    var sandbox = client.create();
    var exec = sandbox.start("echo one; cat");
    var stream = sandbox.read(exec, 0, 0);
    assertThat(stream.next().getData().toStringUtf8()).isEqualTo("one\n");

    vendor.dropConnections();

    assertFails(Status.Code.UNAVAILABLE, stream::hasNext);
    sandbox.write(exec, 0, "two\n", true);
    assertThat(ProtocolClient.all(sandbox.read(exec, 4, 0))).isEqualTo("two\n");
  }

  @Test
  void callsAreKeptWithoutSecrets() {
    var _ =
        client
            .control()
            .appGetOrCreate(AppGetOrCreateRequest.newBuilder().setAppName("tests").build());

    assertThat(vendor.calls(getAppGetOrCreateMethod()).getLast().metadata())
        .containsEntry("x-modal-token-id", vendor.tokenId())
        .doesNotContainKeys("x-modal-token-secret", "x-modal-auth-token");
  }
}
