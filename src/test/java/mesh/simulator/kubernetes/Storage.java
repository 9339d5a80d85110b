package mesh.simulator.kubernetes;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Binds claims to directories and takes snapshots of them. */
final class Storage {

  private static final Duration RETRY = Duration.ofMillis(50);

  private final Store store;
  private final Settings settings;
  private final Claims claims;

  Storage(Store store, Settings settings, Claims claims) {
    this.store = store;
    this.settings = settings;
    this.claims = claims;
  }

  /** Returns when the claim is bound or gone. */
  void provide(Key key, ObjectNode claim) throws IOException, InterruptedException {
    while (isThere(key, claim) && !isBound(key, claim)) {
      Pause.of(RETRY);
    }
  }

  private boolean isThere(Key key, ObjectNode object) {
    return store.find(key).filter(it -> uid(it).equals(uid(object))).isPresent();
  }

  private static String uid(ObjectNode object) {
    return Json.text(object, "metadata.uid");
  }

  private boolean isBound(Key key, ObjectNode claim) throws IOException, InterruptedException {
    var storage =
        store.find(
            new Key(ResourceType.STORAGE_CLASS, "", Json.text(claim, "spec.storageClassName")));
    if (storage.isEmpty() || (waitsForConsumer(storage.get()) && !isWanted(key))) {
      return false;
    }
    var kind = Json.text(claim, "spec.dataSource.kind");
    if (!kind.isEmpty()) {
      var source = source(key, kind, Json.text(claim, "spec.dataSource.name"));
      if (source.isEmpty()) {
        return false;
      }
      claims.copy(source.get(), claim);
    }
    claims.folder(claim);
    return store.updateIfThere(
        key,
        uid(claim),
        it -> {
          it.withObjectProperty("spec").put("volumeName", "pvc-" + uid(claim));
          var status = it.withObjectProperty("status");
          status.put("phase", "Bound");
          status.set("accessModes", it.path("spec").path("accessModes"));
          status.set("capacity", it.path("spec").path("resources").path("requests"));
        });
  }

  private static boolean waitsForConsumer(ObjectNode storage) {
    return Json.text(storage, "volumeBindingMode").equals("WaitForFirstConsumer");
  }

  private boolean isWanted(Key claim) {
    return store.list(ResourceType.POD, claim.namespace()).objects().stream()
        .anyMatch(pod -> uses(pod, claim));
  }

  static boolean uses(ObjectNode pod, Key claim) {
    return pod.path("spec")
        .path("volumes")
        .valueStream()
        .anyMatch(it -> PodVolumes.claim(pod, it).equals(claim.name()));
  }

  private Optional<ObjectNode> source(Key claim, String kind, String name) {
    return kind.equals("VolumeSnapshot")
        ? store
            .find(new Key(ResourceType.SNAPSHOT, claim.namespace(), name))
            .filter(it -> it.path("status").path("readyToUse").asBoolean(false))
        : store
            .find(new Key(ResourceType.CLAIM, claim.namespace(), name))
            .filter(it -> Json.text(it, "status.phase").equals("Bound"));
  }

  /** Copies the claim as it is; whoever writes meanwhile is not waited for. */
  void take(Key key, ObjectNode snapshot) throws IOException, InterruptedException {
    if (!settings.snapshotsReady()) {
      return;
    }
    var name = Json.text(snapshot, "spec.volumeSnapshotClassName");
    if (store.find(new Key(ResourceType.SNAPSHOT_CLASS, "", name)).isEmpty()) {
      fail(
          key,
          snapshot,
          "Failed to get snapshot class with error volumesnapshotclass.snapshot.storage.k8s.io \""
              + name
              + "\" not found");
      return;
    }
    var claim = Json.text(snapshot, "spec.source.persistentVolumeClaimName");
    var source = source(key, "PersistentVolumeClaim", claim);
    if (source.isEmpty()) {
      fail(
          key,
          snapshot,
          "Failed to create snapshot content with error snapshot controller failed to update "
              + key.name()
              + " on API server: cannot get claim from snapshot");
      return;
    }
    claims.copy(source.get(), snapshot);
    store.updateIfThere(
        key,
        uid(snapshot),
        it -> {
          var status = it.withObjectProperty("status");
          status.put("boundVolumeSnapshotContentName", "snapcontent-" + uid(snapshot));
          status.put("creationTime", Json.time(store.now()));
          status.put("readyToUse", true);
          status.put("restoreSize", Json.text(source.get(), "spec.resources.requests.storage"));
        });
  }

  private void fail(Key key, ObjectNode snapshot, String message) {
    store.updateIfThere(
        key,
        uid(snapshot),
        it ->
            it.withObjectProperty("status")
                .put("readyToUse", false)
                .set(
                    "error",
                    Json.object(Map.of("time", Json.time(store.now()), "message", message))));
  }

  /** What a cluster with storage has from the beginning. */
  void install() {
    create(
        ResourceType.STORAGE_CLASS,
        Map.of(
            "apiVersion", "storage.k8s.io/v1",
            "kind", "StorageClass",
            "metadata",
                Map.of(
                    "name",
                    "standard",
                    "annotations",
                    Map.of("storageclass.kubernetes.io/is-default-class", "true")),
            "provisioner", "csi.simulated.example",
            "reclaimPolicy", "Delete",
            "volumeBindingMode", "Immediate"));
    create(
        ResourceType.SNAPSHOT_CLASS,
        Map.of(
            "apiVersion", "snapshot.storage.k8s.io/v1",
            "kind", "VolumeSnapshotClass",
            "metadata", Map.of("name", "standard"),
            "driver", "csi.simulated.example",
            "deletionPolicy", "Delete"));
  }

  private void create(ResourceType type, Map<String, ?> json) {
    var object = Json.object(json);
    Store.identify(object, store.now());
    store.create(Key.of(type, object), object);
  }

  static List<ResourceType> keepFiles() {
    return List.of(ResourceType.CLAIM, ResourceType.SNAPSHOT);
  }
}
