package mesh.simulator.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import mesh.simulator.namespace.Namespace;
import tools.jackson.databind.node.ObjectNode;

/**
 * One pod on the node, from its creation until it is gone. All of its life is on one thread; others
 * tell it what happens.
 */
final class Pod {

  private static final Duration RETRY = Duration.ofMillis(200);

  private final Key key;
  private final String uid;
  private final ObjectNode object;
  private final Kubelet node;
  private final Store store;
  private final Path folder;
  private final BlockingQueue<Happening> happenings = new LinkedBlockingQueue<>();
  private final Map<String, RunningContainer> containers = new LinkedHashMap<>();
  private long deadline = Long.MAX_VALUE;
  private boolean finished;
  private boolean lost;
  private boolean evicted;

  Pod(Key key, ObjectNode object, Kubelet node, Path folder) {
    this.key = key;
    this.uid = Json.text(object, "metadata.uid");
    this.object = object;
    this.node = node;
    this.store = node.store();
    this.folder = folder;
  }

  Key key() {
    return key;
  }

  String uid() {
    return uid;
  }

  Path folder() {
    return folder;
  }

  void tell(Happening happening) {
    happenings.add(happening);
  }

  Optional<RunningContainer> container(String name) {
    return anyContainer(name).filter(RunningContainer::isRunning);
  }

  /** Also one that has ended. */
  synchronized Optional<RunningContainer> anyContainer(String name) {
    return Optional.ofNullable(containers.get(name));
  }

  synchronized boolean isLost() {
    return lost;
  }

  /** Returns when nothing is left of it. */
  void live() throws IOException, InterruptedException {
    try {
      if (isScheduled() && hasItsImages() && attend(node.startUp()) && hasStarted()) {
        attend(Duration.ofNanos(Long.MAX_VALUE));
      }
    } finally {
      end();
    }
  }

  private boolean isScheduled() throws InterruptedException {
    for (var why = node.obstacle(object); why.isPresent(); why = node.obstacle(object)) {
      var message = why.get();
      if (change(it -> it.condition("PodScheduled", "False", "Unschedulable", message))) {
        node.events().warn(object, "FailedScheduling", message);
      }
      if (!attend(RETRY)) {
        return false;
      }
    }
    if (!isThere()) {
      return false;
    }
    change(PodStatus::onNode);
    node.events()
        .normal(
            object,
            "Scheduled",
            "Successfully assigned " + key.namespace() + "/" + key.name() + " to " + Kubelet.NODE);
    change(it -> it.accepted().waiting("ContainerCreating", ""));
    var seconds = object.path("spec").path("activeDeadlineSeconds").asLong(0);
    if (seconds > 0) {
      deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }
    return true;
  }

  private boolean hasItsImages() throws InterruptedException {
    for (var container : object.path("spec").path("containers")) {
      var image = container.path("image").asString("");
      if (image.startsWith("nope")) {
        var message =
            "failed to pull and unpack image \""
                + image
                + "\": failed to resolve reference \""
                + image
                + "\": not found";
        node.events().warn(object, "Failed", "Failed to pull image \"" + image + "\": " + message);
        change(it -> it.waiting("ErrImagePull", message));
        return attend(RETRY)
            && change(it ->
                it.waiting(
                    "ImagePullBackOff", "Back-off pulling image \"" + image + "\": " + message))
            && attend(Duration.ofNanos(Long.MAX_VALUE));
      }
    }
    return true;
  }

  private boolean hasStarted() throws IOException, InterruptedException {
    var plans = new ArrayList<ContainerPlan>();
    while (plans.isEmpty()) {
      try {
        plans.addAll(node.plans(object, folder));
      } catch (Blocked e) {
        change(it -> it.waiting(e.reason(), e.message()));
        node.events().warn(object, "Failed", "Error: " + e.message());
        if (!attend(RETRY)) {
          return false;
        }
      }
    }
    for (var plan : plans) {
      var container = node.start(object, plan);
      synchronized (this) {
        containers.put(plan.name(), container);
      }
      node.events().normal(object, "Started", "Started container " + plan.name());
      container.whenEnded(node.clock(), it -> tell(new Happening.Ended(it)));
    }
    change(PodStatus::address);
    publish();
    return true;
  }

  /** Deals with what happens for a while; whether the pod is still there afterwards. */
  private boolean attend(Duration time) throws InterruptedException {
    var from = System.nanoTime();
    while (true) {
      var left = time.toNanos() - (System.nanoTime() - from);
      var untilDeadline = untilDeadline();
      var next = happenings.poll(Math.max(0, Math.min(left, untilDeadline)), TimeUnit.NANOSECONDS);
      switch (next) {
        case null -> {
          if (untilDeadline <= left && !finished) {
            exceedDeadline();
          } else if (time.toNanos() - (System.nanoTime() - from) <= 0) {
            return true;
          }
        }
        case Happening.Ended _ -> publish();
        case Happening.Evicted(var message) -> evict(message);
        case Happening.NodeLost _ -> lose();
        case Happening.Vanished _ -> {
          return false;
        }
        case Happening.Deleted(var grace) -> {
          if (!lost) {
            terminate(grace);
            node.remove(this);
            return false;
          }
        }
      }
    }
  }

  private long untilDeadline() {
    return finished || deadline == Long.MAX_VALUE ? Long.MAX_VALUE : deadline - System.nanoTime();
  }

  private void exceedDeadline() {
    finished = true;
    change(it ->
        it.phase("Failed")
            .reason(
                "DeadlineExceeded", "Pod was active on the node longer than the specified deadline")
            .ready(false));
    endContainers();
  }

  private void evict(String message) {
    finished = true;
    evicted = true;
    change(it ->
        it.phase("Failed")
            .reason("Evicted", message)
            .condition("DisruptionTarget", "True", "TerminationByKubelet", message)
            .without("containerStatuses"));
    node.events().warn(object, "Evicted", message);
    endContainers();
  }

  private void lose() {
    synchronized (this) {
      lost = true;
    }
    change(it ->
        it.reason("NodeLost", "Node " + Kubelet.NODE + " which was running pod is unresponsive")
            .condition("Ready", "Unknown", "NodeStatusUnknown", "Kubelet stopped posting status."));
  }

  /** Asks, waits for the time of grace, and ends what is left. */
  private void terminate(long graceSeconds) throws InterruptedException {
    node.events().normal(object, "Killing", "Stopping containers");
    containers.values().forEach(RunningContainer::askToEnd);
    var until = System.nanoTime() + TimeUnit.SECONDS.toNanos(graceSeconds);
    while (containers.values().stream().anyMatch(RunningContainer::isRunning)) {
      var next = happenings.poll(until - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null || next instanceof Happening.Vanished) {
        break;
      }
      if (next instanceof Happening.Deleted(var sooner)) {
        until = Math.min(until, System.nanoTime() + TimeUnit.SECONDS.toNanos(sooner));
      }
    }
    endContainers();
    publish();
  }

  private void endContainers() {
    containers.values().forEach(RunningContainer::end);
  }

  /** Writes down how the containers are. */
  private void publish() {
    if (containers.isEmpty() || evicted) {
      return;
    }
    var running = containers.values().stream().filter(RunningContainer::isRunning).count();
    var failed =
        containers.values().stream()
            .flatMap(it -> it.exit().stream())
            .anyMatch(it -> it.code() != 0 || it.reason().equals("OOMKilled"));
    var deadlineExceeded = finished;
    finished |= running == 0;
    var phase = running > 0 ? "Running" : failed ? "Failed" : "Succeeded";
    change(it ->
        it.phase(deadlineExceeded ? "Failed" : phase)
            .ready(running == containers.size())
            .containers(containers.values(), node.saysZero()));
  }

  private boolean isThere() {
    return store.find(key).filter(it -> Json.text(it, "metadata.uid").equals(uid)).isPresent();
  }

  /** Whether the object is still there to be changed. */
  private boolean change(Consumer<PodStatus> change) {
    return store.updateIfThere(
        key, uid, object -> change.accept(new PodStatus(object, store.now())));
  }

  private void end() throws IOException, InterruptedException {
    endContainers();
    node.forget(this);
    if (Files.exists(folder)) {
      Namespace.asRoot(List.of("rm", "-rf", "--", folder.toString()));
    }
  }
}
