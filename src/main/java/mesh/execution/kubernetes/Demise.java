package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads off a pod that it runs no more, and why: never from an exit code, for pods have been ended
 * for want of memory and said 0.
 *
 * @param outOfMemory whether its container's memory ran out
 * @param why the rest of a sentence that begins with the pod
 */
record Demise(boolean outOfMemory, String why) {

  /** Empty if it lives, or has yet to begin. */
  static Optional<Demise> of(Pod pod) {
    if (containers(pod).anyMatch(Demise::ranOutOfMemory)) {
      return Optional.of(new Demise(true, "ran out of memory (OOMKilled)"));
    }
    var status = pod.getStatus();
    var phase = status == null ? "" : text(status.getPhase());
    if (status != null && (phase.equals("Failed") || phase.equals("Succeeded"))) {
      return Optional.of(new Demise(false, ended(pod, status)));
    }
    if (status != null && text(status.getReason()).equals("NodeLost")) {
      return Optional.of(new Demise(false, "was on a node that was lost (NodeLost)"));
    }
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return Optional.of(new Demise(false, disrupted(pod).orElse("was deleted")));
    }
    return containers(pod)
        .flatMap(container -> terminated(container).stream())
        .findFirst()
        .map(end -> new Demise(false, "has a container that ended: " + text(end.getReason())));
  }

  private static String ended(Pod pod, PodStatus status) {
    var words = Refusal.line(status.getMessage());
    var said = words.isEmpty() ? "" : ": " + words;
    return switch (text(status.getReason())) {
      case "Evicted" -> "was evicted from its node (Evicted)" + said;
      case "DeadlineExceeded" -> "reached the end of its time (DeadlineExceeded)";
      case "NodeLost", "NodeShutdown", "Shutdown", "Terminated" ->
          "was on a node that went away (" + status.getReason() + ")" + said;
      case "" -> disrupted(pod).orElse("ended by itself") + said;
      default -> "ended: " + status.getReason() + said;
    };
  }

  /** Another's doing: an eviction by hand, a taint, a pod that matters more. */
  private static Optional<String> disrupted(Pod pod) {
    return conditions(pod)
        .filter(it -> it.getType().equals("DisruptionTarget") && "True".equals(it.getStatus()))
        .findFirst()
        .map(it ->
            "was evicted (%s): %s".formatted(text(it.getReason()), Refusal.line(it.getMessage())));
  }

  static Stream<PodCondition> conditions(Pod pod) {
    var status = pod.getStatus();
    return status == null ? Stream.empty() : orEmpty(status.getConditions()).stream();
  }

  static Stream<ContainerStatus> containers(Pod pod) {
    var status = pod.getStatus();
    return status == null ? Stream.empty() : orEmpty(status.getContainerStatuses()).stream();
  }

  private static boolean ranOutOfMemory(ContainerStatus container) {
    var before = Optional.ofNullable(container.getLastState()).map(it -> it.getTerminated());
    return Stream.concat(terminated(container).stream(), before.stream())
        .anyMatch(end -> text(end.getReason()).equals("OOMKilled"));
  }

  private static Optional<ContainerStateTerminated> terminated(ContainerStatus container) {
    return Optional.ofNullable(container.getState()).map(it -> it.getTerminated());
  }

  private static <T> List<T> orEmpty(@org.jspecify.annotations.Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  static String text(@org.jspecify.annotations.Nullable String value) {
    return value == null ? "" : value;
  }
}
