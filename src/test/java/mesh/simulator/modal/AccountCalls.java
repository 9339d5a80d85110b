package mesh.simulator.modal;

import com.google.protobuf.Empty;
import java.io.IOException;
import modal.client.AppGetOrCreateRequest;
import modal.client.AppGetOrCreateResponse;
import modal.client.AuthTokenGetResponse;
import modal.client.EnvironmentGetOrCreateRequest;
import modal.client.EnvironmentGetOrCreateResponse;
import modal.client.EnvironmentMetadata;
import modal.client.EnvironmentSettings;
import modal.client.ImageDeleteRequest;
import modal.client.ImageFromIdRequest;
import modal.client.ImageFromIdResponse;
import modal.client.ImageGetOrCreateRequest;
import modal.client.ImageGetOrCreateResponse;
import modal.client.ImageJoinStreamingRequest;
import modal.client.ImageJoinStreamingResponse;
import modal.client.ObjectCreationType;
import modal.client.SecretGetOrCreateRequest;
import modal.client.SecretGetOrCreateResponse;

/** What there is besides sandboxes: tokens, applications, the environment, images and secrets. */
final class AccountCalls {

  private static final String BUILDER_VERSION = "2025.06";

  private final Apps apps;
  private final Images images;
  private final Secrets secrets;
  private final Tokens tokens;
  private final Settings settings;
  private final String environmentId = Ids.next("en");

  AccountCalls(Apps apps, Images images, Secrets secrets, Tokens tokens, Settings settings) {
    this.apps = apps;
    this.images = images;
    this.secrets = secrets;
    this.tokens = tokens;
    this.settings = settings;
  }

  AuthTokenGetResponse token() {
    var token = tokens.issue(Admission.CLIENT, settings.now(), settings.authTokenLifetime());
    return AuthTokenGetResponse.newBuilder().setToken(token).build();
  }

  AppGetOrCreateResponse app(AppGetOrCreateRequest request) {
    var name = request.getAppName();
    var create =
        request.getObjectCreationType()
            == ObjectCreationType.OBJECT_CREATION_TYPE_CREATE_IF_MISSING;
    var id =
        create
            ? apps.create(name)
            : apps.find(name).orElseThrow(() -> Refusal.notFound("App '" + name + "'"));
    return AppGetOrCreateResponse.newBuilder().setAppId(id).build();
  }

  EnvironmentGetOrCreateResponse environment(EnvironmentGetOrCreateRequest request) {
    var name = request.getDeploymentName();
    var version = EnvironmentSettings.newBuilder().setImageBuilderVersion(BUILDER_VERSION);
    return EnvironmentGetOrCreateResponse.newBuilder()
        .setEnvironmentId(environmentId)
        .setMetadata(
            EnvironmentMetadata.newBuilder()
                .setName(name.isEmpty() ? "main" : name)
                .setSettings(version))
        .build();
  }

  /** The first time an image is asked for it is not finished yet. */
  ImageGetOrCreateResponse image(ImageGetOrCreateRequest request) {
    if (!apps.exists(request.getAppId())) {
      throw Refusal.notFound("App " + request.getAppId());
    }
    if (request.getImage().getDockerfileCommandsCount() == 0) {
      throw Refusal.invalid("dockerfile_commands are required");
    }
    request.getImage().getBaseImagesList().forEach(base -> images.result(base.getImageId()));
    var known = images.isKnown(request.getImage());
    var answer = ImageGetOrCreateResponse.newBuilder();
    var id = images.build(request.getImage());
    if (known) {
      answer.setResult(images.result(id));
    }
    return answer.setImageId(id).build();
  }

  ImageJoinStreamingResponse build(ImageJoinStreamingRequest request) {
    return ImageJoinStreamingResponse.newBuilder()
        .setResult(images.result(request.getImageId()))
        .setEntryId("1-0")
        .setEof(true)
        .build();
  }

  ImageFromIdResponse image(ImageFromIdRequest request) {
    images.result(request.getImageId());
    return ImageFromIdResponse.newBuilder().setImageId(request.getImageId()).build();
  }

  Empty deleteImage(ImageDeleteRequest request) throws IOException, InterruptedException {
    images.delete(request.getImageId());
    return Empty.getDefaultInstance();
  }

  SecretGetOrCreateResponse secret(SecretGetOrCreateRequest request) {
    return SecretGetOrCreateResponse.newBuilder().setSecretId(secrets.getOrCreate(request)).build();
  }
}
