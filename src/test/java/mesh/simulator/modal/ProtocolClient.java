package mesh.simulator.modal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import modal.client.AppGetOrCreateRequest;
import modal.client.AuthTokenGetRequest;
import modal.client.GenericResult;
import modal.client.Image;
import modal.client.ImageGetOrCreateRequest;
import modal.client.ModalClientGrpc;
import modal.client.ObjectCreationType;
import modal.client.Sandbox;
import modal.client.SandboxCreateV2Request;
import modal.client.SandboxCreateV2Response;
import modal.client.SandboxTag;
import modal.client.SandboxTerminateRequest;
import modal.client.SandboxWaitRequest;
import modal.router.TaskCommandRouterGrpc;
import modal.router.TaskExecStartRequest;
import modal.router.TaskExecStderrConfig;
import modal.router.TaskExecStdinWriteRequest;
import modal.router.TaskExecStdioFileDescriptor;
import modal.router.TaskExecStdioReadRequest;
import modal.router.TaskExecStdioReadResponse;
import modal.router.TaskExecStdoutConfig;
import modal.router.TaskExecWaitRequest;
import modal.router.TaskExecWaitResponse;

/** Talks to the simulator call by call. */
final class ProtocolClient implements AutoCloseable {

  private final ManagedChannel channel;
  private final Metadata metadata = new Metadata();
  private final String app;
  private final String image;

  ProtocolClient(ModalSimulator vendor) {
    this(vendor, 30);
  }

  ProtocolClient(ModalSimulator vendor, int keepAliveSeconds) {
    var url = URI.create(vendor.url());
    channel =
        OkHttpChannelBuilder.forAddress(url.getHost(), url.getPort())
            .usePlaintext()
            .maxInboundMessageSize(100 << 20)
            .keepAliveTime(keepAliveSeconds, TimeUnit.SECONDS)
            .keepAliveTimeout(2, TimeUnit.SECONDS)
            .keepAliveWithoutCalls(true)
            .build();
    put("x-modal-token-id", vendor.tokenId());
    put("x-modal-token-secret", vendor.tokenSecret());
    put("x-modal-client-type", "8");
    put("x-modal-client-version", "1.0.0");
    login();
    app = app("tests");
    image = image("debian:12-slim");
  }

  void login() {
    put(
        "x-modal-auth-token",
        control().authTokenGet(AuthTokenGetRequest.getDefaultInstance()).getToken());
  }

  void put(String name, String value) {
    var key = Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    metadata.removeAll(key);
    metadata.put(key, value);
  }

  ModalClientGrpc.ModalClientBlockingStub control() {
    return ModalClientGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
        .withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  TaskCommandRouterGrpc.TaskCommandRouterBlockingStub router(String token) {
    return TaskCommandRouterGrpc.newBlockingStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(token)))
        .withDeadlineAfter(30, TimeUnit.SECONDS);
  }

  TaskCommandRouterGrpc.TaskCommandRouterStub streams(String token) {
    return TaskCommandRouterGrpc.newStub(channel)
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(bearer(token)));
  }

  private static Metadata bearer(String token) {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return headers;
  }

  String appId() {
    return app;
  }

  String app(String name) {
    return control()
        .appGetOrCreate(
            AppGetOrCreateRequest.newBuilder()
                .setAppName(name)
                .setObjectCreationType(ObjectCreationType.OBJECT_CREATION_TYPE_CREATE_IF_MISSING)
                .build())
        .getAppId();
  }

  String image(String tag) {
    return control()
        .imageGetOrCreate(
            ImageGetOrCreateRequest.newBuilder()
                .setAppId(app)
                .setImage(Image.newBuilder().addDockerfileCommands("FROM " + tag))
                .build())
        .getImageId();
  }

  Sandbox.Builder definition() {
    return Sandbox.newBuilder().setImageId(image).setTimeoutSecs(60).setWorkdir("/workspace");
  }

  Running create() {
    return create(definition());
  }

  Running create(Sandbox.Builder definition, SandboxTag... tags) {
    var answer =
        control()
            .sandboxCreateV2(
                SandboxCreateV2Request.newBuilder()
                    .setAppId(app)
                    .setDefinition(definition)
                    .addAllTags(List.of(tags))
                    .build());
    return new Running(answer);
  }

  GenericResult result(String sandbox, float seconds) {
    return control()
        .sandboxWaitV2(
            SandboxWaitRequest.newBuilder().setSandboxId(sandbox).setTimeout(seconds).build())
        .getResult();
  }

  /** A sandbox and the way to its commands. */
  final class Running {

    private final SandboxCreateV2Response created;

    private Running(SandboxCreateV2Response created) {
      this.created = created;
    }

    String id() {
      return created.getSandboxId();
    }

    String task() {
      return created.getTaskId();
    }

    String token() {
      return created.getCommandRouterAccess().getJwt();
    }

    TaskCommandRouterGrpc.TaskCommandRouterBlockingStub router() {
      return ProtocolClient.this.router(token());
    }

    void terminate() {
      var _ =
          control()
              .sandboxTerminateV2(SandboxTerminateRequest.newBuilder().setSandboxId(id()).build());
    }

    TaskExecStartRequest.Builder command(String... argv) {
      return TaskExecStartRequest.newBuilder()
          .setTaskId(task())
          .setExecId(UUID.randomUUID().toString())
          .addAllCommandArgs(List.of(argv))
          .setStdoutConfig(TaskExecStdoutConfig.TASK_EXEC_STDOUT_CONFIG_PIPE)
          .setStderrConfig(TaskExecStderrConfig.TASK_EXEC_STDERR_CONFIG_PIPE);
    }

    /** The id of the command that was started. */
    String start(TaskExecStartRequest.Builder command) {
      var _ = router().taskExecStart(command.build());
      return command.getExecId();
    }

    String start(String script) {
      return start(command("sh", "-c", script));
    }

    TaskExecWaitResponse exit(String exec) {
      return router()
          .taskExecWait(TaskExecWaitRequest.newBuilder().setTaskId(task()).setExecId(exec).build());
    }

    void write(String exec, long offset, String data, boolean eof) {
      var _ =
          router()
              .taskExecStdinWrite(
                  TaskExecStdinWriteRequest.newBuilder()
                      .setTaskId(task())
                      .setExecId(exec)
                      .setOffset(offset)
                      .setData(ByteString.copyFromUtf8(data))
                      .setEof(eof)
                      .build());
    }

    Iterator<TaskExecStdioReadResponse> read(String exec, long offset, int descriptor) {
      return router()
          .taskExecStdioRead(
              TaskExecStdioReadRequest.newBuilder()
                  .setTaskId(task())
                  .setExecId(exec)
                  .setOffset(offset)
                  .setFileDescriptor(TaskExecStdioFileDescriptor.forNumber(descriptor))
                  .build());
    }

    String out(String exec) {
      return all(read(exec, 0, 0));
    }

    String err(String exec) {
      return all(read(exec, 0, 1));
    }

    /** What a command says that must succeed. */
    String run(String script) {
      var exec = start(script);
      var exit = exit(exec);
      if (!exit.hasCode() || exit.getCode() != 0) {
        throw new AssertionError(script + ": " + exit + err(exec));
      }
      return out(exec);
    }
  }

  static String all(Iterator<TaskExecStdioReadResponse> stream) {
    var bytes = new ByteArrayOutputStream();
    stream.forEachRemaining(part -> bytes.writeBytes(part.getData().toByteArray()));
    return bytes.toString(UTF_8);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
