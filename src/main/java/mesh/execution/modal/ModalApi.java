package mesh.execution.modal;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import mesh.execution.BackendException;
import mesh.execution.SandboxSpec;
import modal.client.GenericResult;
import modal.client.NetworkAccess;
import modal.client.Sandbox;
import modal.client.SandboxCreateV2Request;
import modal.client.SandboxGetCommandRouterAccessRequest;
import modal.client.SandboxGetFromNameRequest;
import modal.client.SandboxGetTaskIdRequest;
import modal.client.SandboxTag;
import modal.client.SandboxTerminateRequest;
import modal.client.SandboxWaitRequest;
import modal.client.SchedulerPlacement;

/** The life of sandboxes: made, found and ended, each as often as it takes. */
final class ModalApi {

  static final String INSTALLATION = "mesh-installation";
  static final String WORKSPACE = "mesh-workspace";
  static final String GENERATION = "mesh-generation";

  private static final Duration LIMIT = Duration.ofSeconds(20);

  /** A look that somebody waits for who has other ways to go on. */
  private static final Duration LOOK_LIMIT = Duration.ofSeconds(10);

  /** One that has to be placed takes its time. */
  private static final Duration CREATE_LIMIT = Duration.ofMinutes(2);

  /** The longest life that the vendor gives. */
  private static final Duration LONGEST = Duration.ofHours(24);

  /** How long the end of a sandbox is waited for in one call. */
  private static final Duration END = Duration.ofSeconds(10);

  private final ControlPlane plane;
  private final Ingredients ingredients;

  /**
   * @param access empty where the vendor left it out
   */
  record Made(String id, Optional<Access> access) {}

  ModalApi(ControlPlane plane, Ingredients ingredients) {
    this.plane = plane;
    this.ingredients = ingredients;
  }

  /** Makes the sandbox unless it runs. Whatever happens to an answer, there is one at most. */
  Made create(SandboxSpec spec, NetworkAccess access) throws InterruptedException {
    try {
      return create(spec, wanted(spec, access));
    } catch (BackendException.SandboxGone unknown) {
      // The app or the image was deleted since we asked for it.
      ingredients.forget();
    }
    try {
      return create(spec, wanted(spec, access));
    } catch (BackendException.SandboxGone unknown) {
      throw new BackendException.Rejected(String.valueOf(unknown.getMessage()), null);
    }
  }

  private Made create(SandboxSpec spec, SandboxCreateV2Request wanted) throws InterruptedException {
    var request = plane.newRequest();
    return plane
        .patience()
        .retrying(() -> {
          try {
            return createOnce(request, spec.key().value(), wanted);
          } catch (BackendException.Unavailable trouble) {
            if (trouble.retryAfter().isZero()) {
              // The request may have been served and its answer lost.
              var running = running(spec.key().value());
              if (running.isPresent()) {
                return running.get();
              }
            }
            throw trouble;
          }
        });
  }

  private Made createOnce(String request, String name, SandboxCreateV2Request wanted)
      throws InterruptedException {
    try {
      var made = plane.once(request, CREATE_LIMIT, stub -> stub.sandboxCreateV2(wanted));
      var way = made.getCommandRouterAccess();
      return new Made(
          made.getSandboxId(),
          made.hasCommandRouterAccess()
              ? Optional.of(new Access(made.getTaskId(), way.getUrl(), way.getJwt()))
              : Optional.empty());
    } catch (StatusRuntimeException failed) {
      if (Calls.code(failed) != Status.Code.ALREADY_EXISTS) {
        throw plane.refusals().of(failed);
      }
      // Names are unique among those that run: it is ours, from an attempt before.
      return running(name)
          .orElseThrow(
              () -> unavailable("Modal has the name " + name + " taken by a sandbox that ends"));
    }
  }

  private SandboxCreateV2Request wanted(SandboxSpec spec, NetworkAccess access)
      throws InterruptedException {
    return SandboxCreateV2Request.newBuilder()
        .setAppId(ingredients.app())
        .setDefinition(definition(spec, access))
        .addTags(tag(INSTALLATION, spec.installation().value()))
        .addTags(tag(WORKSPACE, spec.workspace().toString()))
        .addTags(tag(GENERATION, Integer.toString(spec.generation())))
        .build();
  }

  /**
   * No idle timeout: the vendor counts what runs and not who will come back, so a sandbox between
   * two commands of a run would be as idle as one that was left behind. Mesh ends idle ones, and if
   * Mesh stands still the timeout does. No entry point either: then the sandbox lives until it is
   * ended.
   */
  private Sandbox definition(SandboxSpec spec, NetworkAccess access) throws InterruptedException {
    var life = spec.lifetime().compareTo(LONGEST) < 0 ? spec.lifetime() : LONGEST;
    var plan = ingredients.plan();
    var definition =
        Sandbox.newBuilder()
            .setName(spec.key().value())
            .setImageId(ingredients.image())
            .setTimeoutSecs((int) Math.max(1, life.toSeconds()))
            .setResources(plan.sizes().of(spec.size()))
            .setNetworkAccess(access);
    if (!plan.regions().isEmpty()) {
      definition.setSchedulerPlacement(
          SchedulerPlacement.newBuilder().addAllRegions(plan.regions()));
    }
    return definition.build();
  }

  private static SandboxTag tag(String name, String value) {
    return SandboxTag.newBuilder().setTagName(name).setTagValue(value).build();
  }

  private Optional<Made> running(String name) throws InterruptedException {
    var plan = ingredients.plan();
    var request =
        SandboxGetFromNameRequest.newBuilder()
            .setSandboxName(name)
            .setAppName(plan.app())
            .setEnvironmentName(plan.environment())
            .build();
    try {
      var found = plane.once(plane.newRequest(), LIMIT, stub -> stub.sandboxGetFromNameV2(request));
      return found.getMetadata().hasResult()
          ? Optional.empty()
          : Optional.of(new Made(found.getSandboxId(), Optional.empty()));
    } catch (StatusRuntimeException failed) {
      if (Calls.code(failed) == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw plane.refusals().of(failed);
    }
  }

  /**
   * The task that is the running sandbox. Asked for twice before it is taken for unknown, since
   * every file goes with it.
   *
   * @throws BackendException.SandboxGone if it is finished or was never there
   */
  String task(String sandbox) throws InterruptedException {
    try {
      return taskIfKnown(sandbox);
    } catch (BackendException.SandboxGone unknown) {
      plane.patience().beforeSecondLook();
      return taskIfKnown(sandbox);
    }
  }

  private String taskIfKnown(String sandbox) throws InterruptedException {
    var request = SandboxGetTaskIdRequest.newBuilder().setSandboxId(sandbox).build();
    return plane
        .patience()
        .retrying(() -> {
          var answer = plane.asking(LIMIT, stub -> stub.sandboxGetTaskIdV2(request));
          if (answer.hasTaskResult()) {
            throw gone(sandbox);
          }
          if (!answer.hasTaskId()) {
            throw unavailable("Modal has not placed the sandbox " + sandbox + " yet");
          }
          return answer.getTaskId();
        });
  }

  /** The way to a running sandbox's commands. */
  Access access(String sandbox, String task) throws InterruptedException {
    var request = SandboxGetCommandRouterAccessRequest.newBuilder().setSandboxId(sandbox).build();
    var way = plane.asking(LIMIT, stub -> stub.sandboxGetCommandRouterAccess(request));
    return new Access(task, way.getUrl(), way.getJwt());
  }

  static BackendException.SandboxGone gone(String sandbox) {
    return new BackendException.SandboxGone("Modal has no sandbox " + sandbox + " any more");
  }

  private static BackendException.Unavailable unavailable(String message) {
    return new BackendException.Unavailable(message, Duration.ZERO, null);
  }

  /**
   * How the sandbox ended; empty while it runs. Asked once.
   *
   * @param patience how long to wait for its end
   * @throws BackendException.SandboxGone if the vendor does not know it
   */
  Optional<GenericResult> result(String sandbox, Duration patience) throws InterruptedException {
    var request =
        SandboxWaitRequest.newBuilder()
            .setSandboxId(sandbox)
            .setTimeout(patience.toMillis() / 1000f)
            .build();
    try {
      var answer =
          plane.once(
              plane.newRequest(), LOOK_LIMIT.plus(patience), stub -> stub.sandboxWaitV2(request));
      return answer.hasResult() ? Optional.of(answer.getResult()) : Optional.empty();
    } catch (StatusRuntimeException failed) {
      throw plane.refusals().of(failed);
    }
  }

  /** Ends the sandbox and sees that it is finished; one that is so already is fine. */
  void terminate(String sandbox) throws InterruptedException {
    var request = SandboxTerminateRequest.newBuilder().setSandboxId(sandbox).build();
    plane
        .patience()
        .retrying(() -> {
          try {
            var _ = plane.once(plane.newRequest(), LIMIT, stub -> stub.sandboxTerminateV2(request));
          } catch (StatusRuntimeException failed) {
            switch (Calls.code(failed)) {
              // It is just starting or ending, or was never there: which one, the next call tells.
              case FAILED_PRECONDITION, ABORTED, NOT_FOUND -> {}
              default -> throw plane.refusals().of(failed);
            }
          }
          if (!isFinished(sandbox, END)) {
            throw unavailable(
                "Modal still runs the sandbox " + sandbox + " after its end was asked");
          }
          return true;
        });
  }

  /** Whether it is finished or unknown; asked once. */
  boolean isFinished(String sandbox, Duration patience) throws InterruptedException {
    try {
      return result(sandbox, patience).isPresent();
    } catch (BackendException.SandboxGone unknown) {
      return true;
    }
  }
}
