package mesh.simulator.modal;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import modal.client.NetworkAccess;
import modal.client.NetworkAccess.NetworkAccessType;
import modal.client.PortSpec;
import modal.client.PortSpecs;
import modal.client.SandboxCreateRequest;
import modal.client.SandboxGetFromNameRequest;
import modal.client.SandboxGetLogsRequest;
import modal.client.SandboxGetTaskIdRequest;
import modal.client.SandboxInfo;
import modal.client.SandboxListRequest;
import modal.client.SandboxSetNameRequest;
import modal.client.SandboxTag;
import modal.client.SandboxTagsSetRequest;
import modal.client.SandboxTerminateRequest;
import modal.client.SandboxWaitRequest;
import modal.client.TaskLogs;
import modal.router.TaskSetNetworkAccessRequest;
import org.junit.jupiter.api.Test;

class ModalSandboxTest extends SimulatorTest {

  ModalSandboxTest() throws IOException {}

  @Test
  void whoDoesNotSayWhoTheyAreIsRefused() {
    client.put("x-modal-token-secret", "as-wrong");

    assertFails(Status.Code.UNAUTHENTICATED, () -> client.app("tests"));
  }

  @Test
  void callsOfTheSecondGenerationNeedATokenOfTheirOwn() {
    client.put("x-modal-auth-token", "not.a.token");

    assertFails(Status.Code.UNAUTHENTICATED, client::create);
  }

  @Test
  void anIdTellsItsGeneration() {
    var second = client.create();
    var first =
        client
            .control()
            .sandboxCreate(
                SandboxCreateRequest.newBuilder()
                    .setAppId(client.appId())
                    .setDefinition(client.definition())
                    .build())
            .getSandboxId();

    assertThat(second.id()).matches("sb-[0-9A-HJKMNP-TV-Z]{26}");
    assertThat(first).matches("sb-[0-9A-Za-z]{22}");
    assertFails(
        Status.Code.NOT_FOUND,
        () ->
            client
                .control()
                .sandboxGetTaskId(
                    SandboxGetTaskIdRequest.newBuilder().setSandboxId(second.id()).build()));
  }

  @Test
  void theFirstGenerationsMainCommandHasLogs() {
    var id =
        client
            .control()
            .sandboxCreate(
                SandboxCreateRequest.newBuilder()
                    .setAppId(client.appId())
                    .setDefinition(
                        client.definition().addAllEntrypointArgs(List.of("sh", "-c", "echo hi")))
                    .build())
            .getSandboxId();
    var wait = SandboxWaitRequest.newBuilder().setSandboxId(id).setTimeout(10).build();
    assertThat(client.control().sandboxWait(wait).getResult().getStatusValue()).isEqualTo(1);

    var logs = new ArrayList<TaskLogs>();
    client
        .control()
        .sandboxGetLogs(SandboxGetLogsRequest.newBuilder().setSandboxId(id).build())
        .forEachRemaining(batch -> logs.addAll(batch.getItemsList()));

    assertThat(logs.stream().map(TaskLogs::getData).collect(Collectors.joining()))
        .isEqualTo("hi\n");
  }

  @Test
  void aNameIsTakenForAsLongAsItsSandboxRuns() {
    var named = client.create(client.definition().setName("one"));
    assertFails(
        Status.Code.ALREADY_EXISTS, () -> client.create(client.definition().setName("one")));
    assertThat(byName("one")).isEqualTo(named.id());

    named.terminate();

    assertFails(Status.Code.NOT_FOUND, () -> byName("one"));
    var again = client.create(client.definition().setName("one"));
    assertThat(byName("one")).isEqualTo(again.id()).isNotEqualTo(named.id());
  }

  @Test
  void aSandboxIsNamedOnce() {
    var sandbox = client.create();
    var name =
        SandboxSetNameRequest.newBuilder().setSandboxId(sandbox.id()).setName("later").build();

    var _ = client.control().sandboxSetName(name);

    assertThat(byName("later")).isEqualTo(sandbox.id());
    assertFails(Status.Code.FAILED_PRECONDITION, () -> client.control().sandboxSetName(name));
  }

  private String byName(String name) {
    return client
        .control()
        .sandboxGetFromNameV2(
            SandboxGetFromNameRequest.newBuilder().setAppName("tests").setSandboxName(name).build())
        .getSandboxId();
  }

  @Test
  void listsComeInPagesNewestFirst() {
    vendor.pageSize(2);
    var made = IntStream.range(0, 5).mapToObj(_ -> client.create().id()).toList();

    var seen = new ArrayList<String>();
    var before = 0.0;
    for (var page = list(before); !page.isEmpty(); page = list(before)) {
      assertThat(page).hasSizeLessThanOrEqualTo(2);
      page.forEach(it -> seen.add(it.getId()));
      before = page.getLast().getCreatedAt();
    }

    assertThat(seen).containsExactlyElementsOf(made.reversed());
  }

  @Test
  void listsHaveWhatRunsAndWhoseTagsMatch() {
    var tagged = client.create(client.definition(), tag("owner", "me"), tag("k", "1"));
    client.create(client.definition(), tag("owner", "you"));
    var finished = client.create(client.definition(), tag("owner", "me"));
    finished.terminate();

    assertThat(list(0, tag("owner", "me")))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.getId()).isEqualTo(tagged.id());
          assertThat(it.getTagsList()).containsExactlyInAnyOrder(tag("owner", "me"), tag("k", "1"));
          assertThat(it.getMetadata().hasResult()).isFalse();
        });
    var all =
        client
            .control()
            .sandboxListV2(
                SandboxListRequest.newBuilder()
                    .addTags(tag("owner", "me"))
                    .setIncludeFinished(true)
                    .build());
    assertThat(all.getSandboxesList()).hasSize(2);

    var _ =
        client
            .control()
            .sandboxTagsSetV2(
                SandboxTagsSetRequest.newBuilder()
                    .setSandboxId(tagged.id())
                    .addTags(tag("owner", "us"))
                    .build());
    assertThat(list(0, tag("owner", "me"))).isEmpty();
  }

  private List<SandboxInfo> list(double before, SandboxTag... tags) {
    return client
        .control()
        .sandboxListV2(
            SandboxListRequest.newBuilder()
                .setAppId(client.appId())
                .setBeforeTimestamp(before)
                .addAllTags(Arrays.asList(tags))
                .build())
        .getSandboxesList();
  }

  private static SandboxTag tag(String name, String value) {
    return SandboxTag.newBuilder().setTagName(name).setTagValue(value).build();
  }

  @Test
  void terminatingAgainSaysHowItEnded() {
    var sandbox = client.create();
    var request = SandboxTerminateRequest.newBuilder().setSandboxId(sandbox.id()).build();

    assertThat(client.control().sandboxTerminateV2(request).hasExistingResult()).isFalse();

    assertThat(client.control().sandboxTerminateV2(request).getExistingResult().getStatusValue())
        .isEqualTo(3);
  }

  @Test
  void networkAccessIsKeptAsItWasAskedFor() {
    var access =
        NetworkAccess.newBuilder()
            .setNetworkAccessType(NetworkAccessType.ALLOWLIST)
            .addAllowedDomains("*.github.com")
            .addAllowedCidrs("10.0.0.0/8")
            .addAllowedCidrs("2001:db8::/32")
            .build();
    var sandbox = client.create(client.definition().setNetworkAccess(access));

    assertThat(vendor.created().getLast().definition().getNetworkAccess()).isEqualTo(access);

    var narrower = access.toBuilder().clearAllowedDomains().build();
    var _ =
        sandbox
            .router()
            .taskSetNetworkAccess(
                TaskSetNetworkAccessRequest.newBuilder()
                    .setTaskId(sandbox.task())
                    .setNetworkAccess(narrower)
                    .build());
    assertThat(vendor.networkAccess(sandbox.id())).isEqualTo(narrower);
  }

  @Test
  void networkAccessThatCannotBeIsRefused() {
    assertRefused(allow().addAllowedDomains("localhost"));
    assertRefused(allow().addAllowedDomains("com"));
    assertRefused(allow().addAllowedDomains("127.0.0.1"));
    assertRefused(allow().addAllowedDomains("https://github.com"));
    assertRefused(allow().addAllowedCidrs("10.0.0.0"));
    assertRefused(allow().addAllowedCidrs("10.0.0.0/33"));
    assertRefused(
        allow()
            .addAllAllowedDomains(
                IntStream.range(0, 101).mapToObj(it -> "d" + it + ".example.com").toList()));
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () ->
            client.create(
                client
                    .definition()
                    .setOpenPorts(
                        PortSpecs.newBuilder().addPorts(PortSpec.newBuilder().setPort(80)))
                    .setNetworkAccess(
                        NetworkAccess.newBuilder()
                            .setNetworkAccessType(NetworkAccessType.BLOCKED))));
    assertThat(vendor.liveSandboxes()).isEmpty();
  }

  private static NetworkAccess.Builder allow() {
    return NetworkAccess.newBuilder().setNetworkAccessType(NetworkAccessType.ALLOWLIST);
  }

  private void assertRefused(NetworkAccess.Builder access) {
    assertFails(
        Status.Code.INVALID_ARGUMENT,
        () -> client.create(client.definition().setNetworkAccess(access)));
  }
}
