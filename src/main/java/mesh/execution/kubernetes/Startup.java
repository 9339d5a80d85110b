package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import mesh.execution.BackendException;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a pod to run, and says why it will not, which a pod's phase keeps quiet about.
 *
 * <p>It looks at the pod now and then. A watch would be told a moment sooner, and would have to
 * look all the same: watches lose events, expire and end without a word.
 */
final class Startup {

  /** Nothing that comes later makes these good. */
  private static final Set<String> HOPELESS =
      Set.of(
          "ImagePullBackOff",
          "InvalidImageName",
          "ErrImageNeverPull",
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError",
          "CrashLoopBackOff");

  private static final String PULL_FAILED = "ErrImagePull";

  private final Pods pods;
  private final Waits waits;

  Startup(Pods pods, Waits waits) {
    this.pods = pods;
    this.waits = waits;
  }

  /**
   * Returns when the pod runs.
   *
   * @throws BackendException.Rejected if it is not going to
   * @throws BackendException.SandboxGone if it ended
   */
  void await(Identity identity) throws InterruptedException {
    var look = waits.look(waits.start());
    @Nullable Duration failing = null;
    @Nullable Duration homeless = null;
    while (true) {
      var pod = pods.require(identity);
      if (runs(pod)) {
        return;
      }
      var waiting = waiting(pod);
      if (waiting.isPresent() && HOPELESS.contains(Demise.text(waiting.get().getReason()))) {
        throw rejected(identity, waiting.get());
      }
      failing =
          waiting.filter(it -> PULL_FAILED.equals(it.getReason())).isPresent()
              ? first(failing, look)
              : null;
      if (waiting.isPresent() && isOver(failing, look, waits.image())) {
        throw rejected(identity, waiting.get());
      }
      var unschedulable = unschedulable(pod);
      homeless = unschedulable.isPresent() ? first(homeless, look) : null;
      if (unschedulable.isPresent() && isOver(homeless, look, waits.room())) {
        throw new BackendException.Rejected(
            "no node of the cluster takes the pod %s (Unschedulable): %s"
                .formatted(identity.pod(), Refusal.line(unschedulable.get().getMessage())),
            null);
      }
      if (!look.again()) {
        throw late(identity, pod, waiting);
      }
    }
  }

  private static Duration first(@Nullable Duration before, Waits.Look look) {
    return before == null ? look.gone() : before;
  }

  private static boolean isOver(@Nullable Duration since, Waits.Look look, Duration longest) {
    return since != null && look.gone().minus(since).compareTo(longest) > 0;
  }

  static boolean runs(Pod pod) {
    return Demise.conditions(pod)
        .anyMatch(it -> it.getType().equals("Ready") && "True".equals(it.getStatus()));
  }

  private static Optional<ContainerStateWaiting> waiting(Pod pod) {
    return Demise.containers(pod)
        .flatMap(it -> Optional.ofNullable(it.getState()).stream())
        .flatMap(it -> Optional.ofNullable(it.getWaiting()).stream())
        .findFirst();
  }

  private static Optional<PodCondition> unschedulable(Pod pod) {
    return Demise.conditions(pod)
        .filter(it -> it.getType().equals("PodScheduled") && "False".equals(it.getStatus()))
        .findFirst();
  }

  private static BackendException.Rejected rejected(
      Identity identity, ContainerStateWaiting waiting) {
    var reason = Demise.text(waiting.getReason());
    var what =
        reason.contains("Image") || reason.equals(PULL_FAILED)
            ? "the image of the pod %s cannot be had (%s)"
            : "the container of the pod %s cannot be started (%s)";
    var words = Refusal.line(waiting.getMessage());
    return new BackendException.Rejected(
        what.formatted(identity.pod(), reason) + (words.isEmpty() ? "" : ": " + words), null);
  }

  private BackendException late(Identity identity, Pod pod, Optional<ContainerStateWaiting> waiting)
      throws InterruptedException {
    var warning = pods.lastWarning(pod);
    var state = waiting.map(it -> Demise.text(it.getReason())).orElse("Pending");
    return new BackendException.Unavailable(
        "the pod %s did not run within %d s (%s)%s"
            .formatted(
                identity.pod(),
                waits.start().toSeconds(),
                state,
                warning.isEmpty() ? "" : ": " + warning),
        Duration.ZERO,
        null);
  }
}
