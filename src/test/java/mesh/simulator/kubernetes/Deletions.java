package mesh.simulator.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Takes objects away: pods gently, what is in use later, and what belongs to what is gone too. */
final class Deletions {

  private static final Duration UNTIL_NOTICED = Duration.ofMillis(200);

  private final Store store;
  private final Claims claims;
  private final Function<String, Optional<Pod>> pods;

  /**
   * @param pods those on the node, by their unique id
   */
  Deletions(Store store, Claims claims, Function<String, Optional<Pod>> pods) {
    this.store = store;
    this.claims = claims;
    this.pods = pods;
  }

  /**
   * The object while it is still there, else empty.
   *
   * @throws Refusal if it is not there or not as the options say
   */
  Optional<ObjectNode> delete(Key key, DeleteOptions options) {
    var object = store.get(key);
    options.check(key, object);
    if (options.orphan()) {
      orphan(uid(object));
    }
    if (key.type().equals(ResourceType.POD)) {
      return deletePod(key, object, options);
    }
    if (key.type().equals(ResourceType.NAMESPACE)) {
      return Optional.of(deleteNamespace(key));
    }
    return isKept(key, object) ? Optional.of(mark(key, 0)) : removed(key, object);
  }

  private Optional<ObjectNode> deletePod(Key key, ObjectNode pod, DeleteOptions options) {
    var wanted =
        options.grace().orElse(pod.path("spec").path("terminationGracePeriodSeconds").asLong(30));
    var onNode = !Json.text(pod, "spec.nodeName").isEmpty() && !Scheduler.hasFinished(pod);
    if (wanted <= 0 || !onNode) {
      if (isKept(key, pod)) {
        return Optional.of(mark(key, 0));
      }
      var gone = removed(key, pod);
      pods.apply(uid(pod)).ifPresent(it -> it.tell(new Happening.Vanished()));
      return gone;
    }
    var marked = mark(key, wanted);
    pods.apply(uid(pod)).ifPresent(it -> it.tell(new Happening.Deleted(wanted)));
    return Optional.of(marked);
  }

  private ObjectNode mark(Key key, long grace) {
    return store.update(
        key,
        it -> {
          var metadata = Json.metadata(it);
          var before = metadata.path("deletionGracePeriodSeconds").asLong(Long.MAX_VALUE);
          if (grace < before) {
            var until = store.now().plus(grace, ChronoUnit.SECONDS);
            metadata.put("deletionTimestamp", Json.time(until));
            metadata.put("deletionGracePeriodSeconds", grace);
          }
        });
  }

  private boolean isKept(Key key, ObjectNode object) {
    return !object.path("metadata").path("finalizers").isEmpty()
        || (key.type().equals(ResourceType.CLAIM) && isMounted(key));
  }

  private boolean isMounted(Key claim) {
    return store.list(ResourceType.POD, claim.namespace()).objects().stream()
        .anyMatch(pod -> !Scheduler.hasFinished(pod) && Storage.uses(pod, claim));
  }

  /** What was deleted may go when nothing keeps it any more. */
  void reconsider(Key key) {
    var object = store.find(key);
    if (object.isPresent()
        && object.get().path("metadata").has("deletionTimestamp")
        && !isKept(key, object.get())
        && (!key.type().equals(ResourceType.POD) || pods.apply(uid(object.get())).isEmpty())) {
      removed(key, object.get());
    }
  }

  /** The node has done with a pod. */
  void finished(Pod pod) {
    store
        .find(pod.key())
        .filter(it -> uid(it).equals(pod.uid()) && !isKept(pod.key(), it))
        .ifPresent(it -> removed(pod.key(), it));
  }

  private Optional<ObjectNode> removed(Key key, ObjectNode object) {
    if (store.remove(key, uid(object))) {
      Thread.startVirtualThread(() -> clearUp(key, object));
    }
    return Optional.empty();
  }

  private void clearUp(Key key, ObjectNode object) {
    try {
      if (key.type().equals(ResourceType.POD)) {
        store
            .list(ResourceType.CLAIM, key.namespace())
            .objects()
            .forEach(claim -> reconsider(Key.of(ResourceType.CLAIM, claim)));
      }
      if (Storage.keepFiles().contains(key.type())) {
        claims.remove(object);
      }
      for (var dependent : store.dependentsOf(uid(object))) {
        if (owners(store.get(dependent)) == 0) {
          delete(dependent, DeleteOptions.NONE);
        }
      }
    } catch (Refusal e) {
      // Somebody else was faster.
    } catch (IOException e) {
      System.err.println("The files of a claim could not be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whoever belongs only to what does not exist is noticed after a while and goes. */
  void checkOwners(Key key, ObjectNode object) {
    if (!object.path("metadata").path("ownerReferences").isEmpty() && owners(object) == 0) {
      Pause.then(
          UNTIL_NOTICED,
          () -> {
            try {
              delete(key, DeleteOptions.ofThis(uid(object)));
            } catch (Refusal e) {
              // Somebody else was faster.
            }
          });
    }
  }

  private long owners(JsonNode object) {
    return object
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .filter(it -> store.exists(it.path("uid").asString("")))
        .count();
  }

  private void orphan(String owner) {
    for (var dependent : store.dependentsOf(owner)) {
      store.update(dependent, it -> Json.metadata(it).remove("ownerReferences"));
    }
  }

  private ObjectNode deleteNamespace(Key key) {
    var marked =
        store.update(
            key,
            it -> {
              it.withObjectProperty("status").put("phase", "Terminating");
              Json.metadata(it).put("deletionTimestamp", Json.time(store.now()));
            });
    Thread.startVirtualThread(() -> {
      try {
        while (!store.keysIn(key.name()).isEmpty()) {
          for (var content : store.keysIn(key.name())) {
            delete(content, DeleteOptions.NONE);
          }
          Pause.of(UNTIL_NOTICED);
        }
        removed(key, marked);
      } catch (Refusal e) {
        System.err.println("A namespace was not emptied: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    return marked;
  }

  private static String uid(ObjectNode object) {
    return Json.text(object, "metadata.uid");
  }
}
