package mesh.execution.modal;

import java.time.Duration;
import mesh.execution.BackendException;
import modal.client.AppGetOrCreateRequest;
import modal.client.GenericResult;
import modal.client.GenericResult.GenericStatus;
import modal.client.Image;
import modal.client.ImageGetOrCreateRequest;
import modal.client.ImageJoinStreamingRequest;
import modal.client.ModalClientGrpc.ModalClientBlockingStub;
import modal.client.ObjectCreationType;
import org.jspecify.annotations.Nullable;

/** What a sandbox is made of: an app, and an image that was built. Asked for once. */
final class Ingredients {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** A build goes on at the vendor while nobody watches, and is watched again. */
  private static final int WATCHED_SECONDS = 55;

  private static final Duration BUILD_LIMIT = Duration.ofSeconds(WATCHED_SECONDS + 20);
  private static final int MOST_WATCHES = 16;

  /** How the vendor's builder works; another version is another image. */
  private static final String BUILDER = "2025.06";

  private final ControlPlane plane;
  private final Plan plan;
  private volatile @Nullable String appId;
  private volatile @Nullable String imageId;

  Ingredients(ControlPlane plane, Plan plan) {
    this.plane = plane;
    this.plan = plan;
  }

  Plan plan() {
    return plan;
  }

  /** The vendor does not know them any more: they are asked for again. */
  void forget() {
    appId = null;
    imageId = null;
  }

  String app() throws InterruptedException {
    var known = appId;
    if (known == null) {
      var request =
          AppGetOrCreateRequest.newBuilder()
              .setAppName(plan.app())
              .setEnvironmentName(plan.environment())
              .setObjectCreationType(ObjectCreationType.OBJECT_CREATION_TYPE_CREATE_IF_MISSING)
              .build();
      known = asking(LIMIT, stub -> stub.appGetOrCreate(request)).getAppId();
      appId = known;
    }
    return known;
  }

  String image() throws InterruptedException {
    var known = imageId;
    if (known == null) {
      known = built();
      imageId = known;
    }
    return known;
  }

  private String built() throws InterruptedException {
    var request =
        ImageGetOrCreateRequest.newBuilder()
            .setImage(Image.newBuilder().addDockerfileCommands("FROM " + plan.image()))
            .setAppId(app())
            .setBuilderVersion(BUILDER)
            .build();
    var answer = asking(BUILD_LIMIT, stub -> stub.imageGetOrCreate(request));
    var id = answer.getImageId();
    var result = answer.getResult();
    for (int watch = 0; isOpen(result) && watch < MOST_WATCHES; watch++) {
      result = asking(BUILD_LIMIT, stub -> watched(stub, id));
    }
    if (result.getStatus() == GenericStatus.GENERIC_STATUS_SUCCESS) {
      return id;
    }
    if (isOpen(result)) {
      throw new BackendException.Unavailable(
          "Modal is still building the image " + plan.image(), Duration.ZERO, null);
    }
    throw new BackendException.Rejected(
        "Modal could not build the image %s: %s"
            .formatted(plan.image(), plane.refusals().cleaned(result.getException())),
        null);
  }

  private static GenericResult watched(ModalClientBlockingStub stub, String id) {
    var request =
        ImageJoinStreamingRequest.newBuilder().setImageId(id).setTimeout(WATCHED_SECONDS).build();
    var answers = stub.imageJoinStreaming(request);
    var result = GenericResult.getDefaultInstance();
    while (answers.hasNext() && isOpen(result)) {
      result = answers.next().getResult();
    }
    return result;
  }

  private static boolean isOpen(GenericResult result) {
    return result.getStatus() == GenericStatus.GENERIC_STATUS_UNSPECIFIED;
  }

  /** What the vendor does not find here is what an operator wrote down. */
  private <A> A asking(Duration limit, ControlPlane.Ask<A> ask) throws InterruptedException {
    try {
      return plane.asking(limit, ask);
    } catch (BackendException.SandboxGone notFound) {
      throw new BackendException.Rejected(String.valueOf(notFound.getMessage()), null);
    }
  }
}
