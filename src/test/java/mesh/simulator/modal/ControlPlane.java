package mesh.simulator.modal;

import static mesh.simulator.modal.Generation.V1;
import static mesh.simulator.modal.Generation.V2;

import com.google.protobuf.Empty;
import io.grpc.stub.StreamObserver;
import modal.client.AppGetOrCreateRequest;
import modal.client.AppGetOrCreateResponse;
import modal.client.AuthTokenGetRequest;
import modal.client.AuthTokenGetResponse;
import modal.client.EnvironmentGetOrCreateRequest;
import modal.client.EnvironmentGetOrCreateResponse;
import modal.client.ImageDeleteRequest;
import modal.client.ImageFromIdRequest;
import modal.client.ImageFromIdResponse;
import modal.client.ImageGetOrCreateRequest;
import modal.client.ImageGetOrCreateResponse;
import modal.client.ImageJoinStreamingRequest;
import modal.client.ImageJoinStreamingResponse;
import modal.client.ModalClientGrpc;
import modal.client.SandboxCreateRequest;
import modal.client.SandboxCreateResponse;
import modal.client.SandboxCreateV2Request;
import modal.client.SandboxCreateV2Response;
import modal.client.SandboxGetCommandRouterAccessRequest;
import modal.client.SandboxGetCommandRouterAccessResponse;
import modal.client.SandboxGetFromNameRequest;
import modal.client.SandboxGetFromNameResponse;
import modal.client.SandboxGetLogsRequest;
import modal.client.SandboxGetTaskIdRequest;
import modal.client.SandboxGetTaskIdResponse;
import modal.client.SandboxListRequest;
import modal.client.SandboxListResponse;
import modal.client.SandboxSetNameRequest;
import modal.client.SandboxSetNameResponse;
import modal.client.SandboxSnapshotFsRequest;
import modal.client.SandboxSnapshotFsResponse;
import modal.client.SandboxStdinWriteRequest;
import modal.client.SandboxStdinWriteResponse;
import modal.client.SandboxTagsGetRequest;
import modal.client.SandboxTagsGetResponse;
import modal.client.SandboxTagsSetRequest;
import modal.client.SandboxTerminateRequest;
import modal.client.SandboxTerminateResponse;
import modal.client.SandboxWaitRequest;
import modal.client.SandboxWaitResponse;
import modal.client.SecretGetOrCreateRequest;
import modal.client.SecretGetOrCreateResponse;
import modal.client.TaskGetCommandRouterAccessRequest;
import modal.client.TaskGetCommandRouterAccessResponse;
import modal.client.TaskLogsBatch;

/** The service at the vendor's own address. What it does not have is answered UNIMPLEMENTED. */
final class ControlPlane extends ModalClientGrpc.ModalClientImplBase {

  private final AccountCalls account;
  private final SandboxCalls sandboxes;
  private final WorkerCalls workers;

  ControlPlane(AccountCalls account, SandboxCalls sandboxes, WorkerCalls workers) {
    this.account = account;
    this.sandboxes = sandboxes;
    this.workers = workers;
  }

  @Override
  public void authTokenGet(
      AuthTokenGetRequest request, StreamObserver<AuthTokenGetResponse> answer) {
    Answers.one(answer, () -> account.token());
  }

  @Override
  public void appGetOrCreate(
      AppGetOrCreateRequest request, StreamObserver<AppGetOrCreateResponse> answer) {
    Answers.one(answer, () -> account.app(request));
  }

  @Override
  public void environmentGetOrCreate(
      EnvironmentGetOrCreateRequest request,
      StreamObserver<EnvironmentGetOrCreateResponse> answer) {
    Answers.one(answer, () -> account.environment(request));
  }

  @Override
  public void imageGetOrCreate(
      ImageGetOrCreateRequest request, StreamObserver<ImageGetOrCreateResponse> answer) {
    Answers.one(answer, () -> account.image(request));
  }

  @Override
  public void imageJoinStreaming(
      ImageJoinStreamingRequest request, StreamObserver<ImageJoinStreamingResponse> answer) {
    Answers.one(answer, () -> account.build(request));
  }

  @Override
  public void imageFromId(ImageFromIdRequest request, StreamObserver<ImageFromIdResponse> answer) {
    Answers.one(answer, () -> account.image(request));
  }

  @Override
  public void secretGetOrCreate(
      SecretGetOrCreateRequest request, StreamObserver<SecretGetOrCreateResponse> answer) {
    Answers.one(answer, () -> account.secret(request));
  }

  @Override
  public void sandboxCreate(
      SandboxCreateRequest request, StreamObserver<SandboxCreateResponse> answer) {
    Answers.one(answer, () -> sandboxes.create(request));
  }

  @Override
  public void sandboxCreateV2(
      SandboxCreateV2Request request, StreamObserver<SandboxCreateV2Response> answer) {
    Answers.one(answer, () -> sandboxes.create(request));
  }

  @Override
  public void sandboxGetTaskId(
      SandboxGetTaskIdRequest request, StreamObserver<SandboxGetTaskIdResponse> answer) {
    Answers.one(answer, () -> sandboxes.taskId(V1, request));
  }

  @Override
  public void sandboxGetTaskIdV2(
      SandboxGetTaskIdRequest request, StreamObserver<SandboxGetTaskIdResponse> answer) {
    Answers.one(answer, () -> sandboxes.taskId(V2, request));
  }

  @Override
  public void sandboxGetFromName(
      SandboxGetFromNameRequest request, StreamObserver<SandboxGetFromNameResponse> answer) {
    Answers.one(answer, () -> sandboxes.fromName(V1, request));
  }

  @Override
  public void sandboxGetFromNameV2(
      SandboxGetFromNameRequest request, StreamObserver<SandboxGetFromNameResponse> answer) {
    Answers.one(answer, () -> sandboxes.fromName(V2, request));
  }

  @Override
  public void sandboxList(SandboxListRequest request, StreamObserver<SandboxListResponse> answer) {
    Answers.one(answer, () -> sandboxes.list(V1, request));
  }

  @Override
  public void sandboxListV2(
      SandboxListRequest request, StreamObserver<SandboxListResponse> answer) {
    Answers.one(answer, () -> sandboxes.list(V2, request));
  }

  @Override
  public void sandboxTagsGet(
      SandboxTagsGetRequest request, StreamObserver<SandboxTagsGetResponse> answer) {
    Answers.one(answer, () -> sandboxes.tags(V1, request));
  }

  @Override
  public void sandboxTagsGetV2(
      SandboxTagsGetRequest request, StreamObserver<SandboxTagsGetResponse> answer) {
    Answers.one(answer, () -> sandboxes.tags(V2, request));
  }

  @Override
  public void sandboxTerminate(
      SandboxTerminateRequest request, StreamObserver<SandboxTerminateResponse> answer) {
    Answers.one(answer, () -> sandboxes.terminate(V1, request));
  }

  @Override
  public void sandboxTerminateV2(
      SandboxTerminateRequest request, StreamObserver<SandboxTerminateResponse> answer) {
    Answers.one(answer, () -> sandboxes.terminate(V2, request));
  }

  @Override
  public void sandboxWait(SandboxWaitRequest request, StreamObserver<SandboxWaitResponse> answer) {
    Answers.later(answer, () -> sandboxes.result(V1, request));
  }

  @Override
  public void sandboxWaitV2(
      SandboxWaitRequest request, StreamObserver<SandboxWaitResponse> answer) {
    Answers.later(answer, () -> sandboxes.result(V2, request));
  }

  @Override
  public void sandboxSetName(
      SandboxSetNameRequest request, StreamObserver<SandboxSetNameResponse> answer) {
    Answers.one(answer, () -> sandboxes.rename(request));
  }

  @Override
  public void sandboxTagsSet(SandboxTagsSetRequest request, StreamObserver<Empty> answer) {
    Answers.one(answer, () -> sandboxes.setTags(V1, request));
  }

  @Override
  public void sandboxTagsSetV2(SandboxTagsSetRequest request, StreamObserver<Empty> answer) {
    Answers.one(answer, () -> sandboxes.setTags(V2, request));
  }

  @Override
  public void imageDelete(ImageDeleteRequest request, StreamObserver<Empty> answer) {
    Answers.one(answer, () -> account.deleteImage(request));
  }

  @Override
  public void sandboxGetCommandRouterAccess(
      SandboxGetCommandRouterAccessRequest request,
      StreamObserver<SandboxGetCommandRouterAccessResponse> answer) {
    Answers.one(answer, () -> workers.access(request));
  }

  @Override
  public void taskGetCommandRouterAccess(
      TaskGetCommandRouterAccessRequest request,
      StreamObserver<TaskGetCommandRouterAccessResponse> answer) {
    Answers.one(answer, () -> workers.access(request));
  }

  @Override
  public void sandboxStdinWrite(
      SandboxStdinWriteRequest request, StreamObserver<SandboxStdinWriteResponse> answer) {
    Answers.one(answer, () -> workers.write(request));
  }

  @Override
  public void sandboxSnapshotFs(
      SandboxSnapshotFsRequest request, StreamObserver<SandboxSnapshotFsResponse> answer) {
    Answers.one(answer, () -> workers.snapshot(request));
  }

  @Override
  public void sandboxGetLogs(SandboxGetLogsRequest request, StreamObserver<TaskLogsBatch> answer) {
    workers.logs(request, answer);
  }
}
