package mesh.simulator.modal;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import modal.client.Sandbox;

/** All sandboxes there are and were, oldest first. */
final class Sandboxes {

  /** More of those that are finished are forgotten. */
  private static final int MOST = 10_000;

  private final Worker worker;
  private final Settings settings;
  private final List<ModalSandbox> all = new ArrayList<>();
  private final Map<String, ModalSandbox> byId = new HashMap<>();
  private final Map<String, ModalSandbox> byTask = new HashMap<>();
  private final SequencedMap<String, ModalSandbox> live = new LinkedHashMap<>();
  private final List<Created> created = new ArrayList<>();
  private Instant latest = Instant.EPOCH;

  Sandboxes(Worker worker, Settings settings) {
    this.worker = worker;
    this.settings = settings;
  }

  /** Creates and starts one. */
  ModalSandbox create(
      Generation generation,
      String appId,
      Sandbox definition,
      Map<String, String> tags,
      Map<String, String> environment)
      throws InterruptedException {
    Definitions.check(definition);
    worker.images().result(definition.getImageId());
    var sandbox = add(generation, appId, definition, tags, environment);
    var container = sandbox.container();
    var _ = container.finished().thenRun(() -> finish(sandbox));
    try {
      container.start();
    } catch (IOException | IllegalStateException e) {
      container.end(Results.neverStarted(String.valueOf(e.getMessage())));
      return sandbox;
    }
    var lifetime = Duration.ofSeconds(Integer.toUnsignedLong(definition.getTimeoutSecs()));
    worker.timers().after(lifetime, () -> container.end(Results.timedOut()));
    if (definition.hasIdleTimeoutSecs()) {
      endWhenIdle(
          container, Duration.ofSeconds(Integer.toUnsignedLong(definition.getIdleTimeoutSecs())));
    }
    return sandbox;
  }

  private void endWhenIdle(Container container, Duration most) {
    var left = most.toNanos() - (System.nanoTime() - container.lastActivity());
    if (left <= 0) {
      container.end(Results.idle());
    } else if (!container.finished().isDone()) {
      worker.timers().after(Duration.ofNanos(left), () -> endWhenIdle(container, most));
    }
  }

  private synchronized void finish(ModalSandbox sandbox) {
    sandbox.finishedAt(settings.now());
    live.remove(sandbox.id());
  }

  private synchronized ModalSandbox add(
      Generation generation,
      String appId,
      Sandbox definition,
      Map<String, String> tags,
      Map<String, String> environment) {
    refuseTaken(appId, definition.getName());
    var now = settings.now().truncatedTo(ChronoUnit.MICROS);
    // Pages are cut by this time, so no two may share one.
    latest = now.isAfter(latest) ? now : latest.plus(1, ChronoUnit.MICROS);
    var second = generation == Generation.V2;
    var id = second ? Ids.ulid("sb", latest) : Ids.next("sb");
    var task = second ? Ids.ulid("ta", latest) : Ids.next("ta");
    var container = new Container(id, definition, environment, worker);
    var identity = new ModalSandbox.Identity(id, task, appId, generation, latest);
    var sandbox = new ModalSandbox(identity, definition, tags, container);
    all.add(sandbox);
    live.put(id, sandbox);
    byId.put(id, sandbox);
    byTask.put(task, sandbox);
    created.add(new Created(id, appId, definition, tags, environment));
    forget();
    return sandbox;
  }

  private void forget() {
    if (all.size() > MOST) {
      all.stream()
          .filter(ModalSandbox::isFinished)
          .findFirst()
          .ifPresent(old -> {
            all.remove(old);
            byId.remove(old.id());
            byTask.remove(old.taskId());
          });
    }
  }

  private void refuseTaken(String appId, String name) {
    if (!name.isEmpty()
        && live.values().stream()
            .anyMatch(it -> it.appId().equals(appId) && it.name().equals(name))) {
      throw Refusal.taken("Sandbox with name '" + name + "' already exists");
    }
  }

  synchronized void rename(ModalSandbox sandbox, String name) {
    Names.check("Sandbox", name);
    if (sandbox.isFinished() || !sandbox.name().isEmpty()) {
      throw Refusal.precondition("Sandbox " + sandbox.id() + " has a name or is finished");
    }
    refuseTaken(sandbox.appId(), name);
    sandbox.name(name);
  }

  synchronized ModalSandbox find(Generation generation, String id) {
    return Optional.ofNullable(byId.get(id))
        .filter(it -> it.generation() == generation)
        .orElseThrow(() -> Refusal.notFound("Sandbox " + id));
  }

  synchronized ModalSandbox find(String id) {
    return Optional.ofNullable(byId.get(id)).orElseThrow(() -> Refusal.notFound("Sandbox " + id));
  }

  /** Finished or not. */
  synchronized ModalSandbox ofTask(String taskId) {
    return Optional.ofNullable(byTask.get(taskId))
        .orElseThrow(() -> Refusal.notFound("Task " + taskId));
  }

  /** The newest of that name; unless asked for, none that is finished. */
  synchronized ModalSandbox named(
      Generation generation, String appId, String name, boolean finishedToo) {
    return newestFirst(finishedToo)
        .filter(it -> it.generation() == generation && it.appId().equals(appId))
        .filter(it -> it.name().equals(name))
        .findFirst()
        .orElseThrow(() -> Refusal.notFound("Sandbox '" + name + "'"));
  }

  /** Newest first. */
  synchronized List<ModalSandbox> newest(
      boolean finishedToo, Predicate<ModalSandbox> wanted, int most) {
    return newestFirst(finishedToo).filter(wanted).limit(most).toList();
  }

  private Stream<ModalSandbox> newestFirst(boolean finishedToo) {
    return finishedToo ? all.reversed().stream() : live.sequencedValues().reversed().stream();
  }

  synchronized List<ModalSandbox> running() {
    return List.copyOf(live.values());
  }

  synchronized List<Created> created() {
    return List.copyOf(created);
  }
}
