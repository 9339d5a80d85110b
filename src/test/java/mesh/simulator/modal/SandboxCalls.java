package mesh.simulator.modal;

import com.google.protobuf.Empty;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import modal.client.Sandbox;
import modal.client.SandboxCreateRequest;
import modal.client.SandboxCreateResponse;
import modal.client.SandboxCreateV2Request;
import modal.client.SandboxCreateV2Response;
import modal.client.SandboxGetFromNameRequest;
import modal.client.SandboxGetFromNameResponse;
import modal.client.SandboxGetTaskIdRequest;
import modal.client.SandboxGetTaskIdResponse;
import modal.client.SandboxListRequest;
import modal.client.SandboxListResponse;
import modal.client.SandboxSetNameRequest;
import modal.client.SandboxSetNameResponse;
import modal.client.SandboxTagsGetRequest;
import modal.client.SandboxTagsGetResponse;
import modal.client.SandboxTagsSetRequest;
import modal.client.SandboxTerminateRequest;
import modal.client.SandboxTerminateResponse;
import modal.client.SandboxWaitRequest;
import modal.client.SandboxWaitResponse;
import modal.client.SecretSource;

/** The life of sandboxes; both generations' calls take and answer the same. */
final class SandboxCalls {

  private final Sandboxes sandboxes;
  private final Apps apps;
  private final Secrets secrets;
  private final RouterAccess access;
  private final Settings settings;

  SandboxCalls(
      Sandboxes sandboxes, Apps apps, Secrets secrets, RouterAccess access, Settings settings) {
    this.sandboxes = sandboxes;
    this.apps = apps;
    this.secrets = secrets;
    this.access = access;
    this.settings = settings;
  }

  SandboxCreateResponse create(SandboxCreateRequest request) throws InterruptedException {
    checkApp(request.getAppId());
    var definition = request.getDefinition();
    var sources = List.<SecretSource>of();
    var environment = environment(definition.getSecretIdsList(), definition, Map.of(), sources);
    var tags = Names.tags(request.getTagsList());
    var sandbox =
        sandboxes.create(Generation.V1, request.getAppId(), definition, tags, environment);
    return SandboxCreateResponse.newBuilder().setSandboxId(sandbox.id()).build();
  }

  SandboxCreateV2Response create(SandboxCreateV2Request request) throws InterruptedException {
    checkApp(request.getAppId());
    var definition = request.getDefinition();
    var environment =
        environment(
            definition.getSecretIdsList(),
            definition,
            request.getEphemeralSecrets().getContentsMap(),
            request.getSecretSourcesList());
    var tags = Names.tags(request.getTagsList());
    var sandbox =
        sandboxes.create(Generation.V2, request.getAppId(), definition, tags, environment);
    var answer =
        SandboxCreateV2Response.newBuilder()
            .setSandboxId(sandbox.id())
            .setTaskId(sandbox.taskId())
            .setMetadata(sandbox.metadata());
    if (!sandbox.isFinished()) {
      answer.setCommandRouterAccess(access.to(sandbox));
    }
    return answer.build();
  }

  private void checkApp(String id) {
    if (!apps.exists(id)) {
      throw Refusal.notFound("App " + id);
    }
  }

  private Map<String, String> environment(
      List<String> secretIds,
      Sandbox definition,
      Map<String, String> plain,
      List<SecretSource> sources) {
    var environment = new LinkedHashMap<>(definition.getEnvironmentVariables().getContentsMap());
    environment.putAll(secrets.environment(secretIds, plain, sources));
    return environment;
  }

  SandboxGetTaskIdResponse taskId(Generation generation, SandboxGetTaskIdRequest request) {
    var sandbox = sandboxes.find(generation, request.getSandboxId());
    var answer = SandboxGetTaskIdResponse.newBuilder().setTaskId(sandbox.taskId());
    if (sandbox.isFinished()) {
      answer.setTaskResult(sandbox.container().finished().join());
    }
    return answer.build();
  }

  SandboxGetFromNameResponse fromName(Generation generation, SandboxGetFromNameRequest request) {
    var name = request.getSandboxName();
    var app =
        apps.find(request.getAppName())
            .orElseThrow(() -> Refusal.notFound("App '" + request.getAppName() + "'"));
    var sandbox = sandboxes.named(generation, app, name, request.getIncludeTerminated());
    return SandboxGetFromNameResponse.newBuilder()
        .setSandboxId(sandbox.id())
        .setMetadata(sandbox.metadata())
        .build();
  }

  SandboxListResponse list(Generation generation, SandboxListRequest request) {
    var tags = Names.tags(request.getTagsList());
    var before = request.getBeforeTimestamp();
    var then = settings.now().minus(settings.listLag());
    var lags = !settings.listLag().isZero();
    var page =
        sandboxes.newest(
            lags || request.getIncludeFinished(),
            it ->
                it.generation() == generation
                    && (request.getAppId().isEmpty() || it.appId().equals(request.getAppId()))
                    && (before == 0 || ModalSandbox.seconds(it.createdAt()) < before)
                    && (!lags || !it.createdAt().isAfter(then))
                    && (request.getIncludeFinished() || it.ranAt(then))
                    && it.tags().entrySet().containsAll(tags.entrySet()),
            settings.pageSize());
    return SandboxListResponse.newBuilder()
        .addAllSandboxes(page.stream().map(it -> it.info(it.ranAt(then))).toList())
        .build();
  }

  Empty setTags(Generation generation, SandboxTagsSetRequest request) {
    var tags = Names.tags(request.getTagsList());
    sandboxes.find(generation, request.getSandboxId()).tags(tags);
    return Empty.getDefaultInstance();
  }

  SandboxTagsGetResponse tags(Generation generation, SandboxTagsGetRequest request) {
    var tags = sandboxes.find(generation, request.getSandboxId()).tags();
    return SandboxTagsGetResponse.newBuilder().addAllTags(Names.tags(tags)).build();
  }

  SandboxSetNameResponse rename(SandboxSetNameRequest request) {
    sandboxes.rename(sandboxes.find(Generation.V2, request.getSandboxId()), request.getName());
    return SandboxSetNameResponse.getDefaultInstance();
  }

  SandboxTerminateResponse terminate(Generation generation, SandboxTerminateRequest request) {
    var container = sandboxes.find(generation, request.getSandboxId()).container();
    var answer = SandboxTerminateResponse.newBuilder();
    if (!container.end(Results.terminated())) {
      answer.setExistingResult(container.finished().join());
    }
    return answer.build();
  }

  /** Without a result while there is none. */
  CompletableFuture<SandboxWaitResponse> result(Generation generation, SandboxWaitRequest request) {
    var sandbox = sandboxes.find(generation, request.getSandboxId());
    return Answers.within(sandbox.container().finished(), request.getTimeout())
        .thenApply(result -> {
          var answer = SandboxWaitResponse.newBuilder();
          answer.getMetadataBuilder().setAppId(sandbox.appId());
          result.ifPresent(answer::setResult);
          return answer.build();
        });
  }
}
