package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import mesh.simulator.namespace.Volume;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The directories behind a pod's volumes. */
final class PodVolumes {

  private final Store store;
  private final Claims claims;
  private final Map<String, Path> folders = new HashMap<>();

  private PodVolumes(Store store, Claims claims) {
    this.store = store;
    this.claims = claims;
  }

  /**
   * @param folder where those that end with the pod are kept
   * @throws Blocked if something they are made of is not there
   */
  static PodVolumes prepare(Store store, Claims claims, Path folder, JsonNode pod)
      throws IOException, Blocked {
    var volumes = new PodVolumes(store, claims);
    var namespace = Json.text(pod, "metadata.namespace");
    for (var volume : pod.path("spec").path("volumes")) {
      var name = volume.path("name").asString("");
      var own = Files.createDirectories(folder.resolve(name));
      volumes.folders.put(name, volumes.folder(namespace, claim(pod, volume), volume, own));
    }
    return volumes;
  }

  /** The name of the claim behind a volume; empty for one that has none. */
  static String claim(JsonNode pod, JsonNode volume) {
    return volume.has("ephemeral")
        ? Json.text(pod, "metadata.name") + "-" + Json.text(volume, "name")
        : Json.text(volume, "persistentVolumeClaim.claimName");
  }

  /** What a pod's ephemeral volumes are claimed with; they belong to the pod. */
  static List<ObjectNode> ephemeralClaims(JsonNode pod) {
    var found = new ArrayList<ObjectNode>();
    for (var volume : pod.path("spec").path("volumes")) {
      if (volume.has("ephemeral")) {
        var claim = Json.object(Map.of("metadata", Map.of("name", claim(pod, volume))));
        claim.set(
            "spec", volume.path("ephemeral").path("volumeClaimTemplate").path("spec").deepCopy());
        Json.metadata(claim)
            .putArray("ownerReferences")
            .addObject()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put("name", Json.text(pod, "metadata.name"))
            .put("uid", Json.text(pod, "metadata.uid"))
            .put("controller", true);
        found.add(claim);
      }
    }
    return found;
  }

  private Path folder(String namespace, String claim, JsonNode volume, Path own)
      throws IOException, Blocked {
    if (!claim.isEmpty()) {
      return claims.folder(store.get(new Key(ResourceType.CLAIM, namespace, claim)));
    }
    if (volume.has("configMap")) {
      fill(
          own,
          new Key(ResourceType.CONFIG_MAP, namespace, Json.text(volume, "configMap.name")),
          volume.path("configMap"));
    } else if (volume.has("secret")) {
      fill(
          own,
          new Key(ResourceType.SECRET, namespace, Json.text(volume, "secret.secretName")),
          volume.path("secret"));
    }
    return own;
  }

  private void fill(Path own, Key source, JsonNode volume) throws IOException, Blocked {
    var object = store.find(source);
    if (object.isEmpty()) {
      if (volume.path("optional").asBoolean(false)) {
        return;
      }
      throw new Blocked(
          "ContainerCreating",
          "MountVolume.SetUp failed for volume: "
              + source.type().kind().toLowerCase(Locale.ROOT)
              + " \""
              + source.name()
              + "\" not found");
    }
    var paths = new HashMap<String, String>();
    volume
        .path("items")
        .forEach(it -> paths.put(it.path("key").asString(""), it.path("path").asString("")));
    for (var entry : object.get().path("data").properties()) {
      if (paths.isEmpty() || paths.containsKey(entry.getKey())) {
        var file = own.resolve(paths.getOrDefault(entry.getKey(), entry.getKey()));
        Files.createDirectories(file.getParent());
        Files.write(file, content(source.type(), entry.getValue().asString("")));
      }
    }
  }

  private static byte[] content(ResourceType type, String value) {
    return type.equals(ResourceType.SECRET)
        ? Base64.getDecoder().decode(value)
        : value.getBytes(UTF_8);
  }

  List<Volume> mountedIn(JsonNode container) throws IOException {
    var mounts = new ArrayList<Volume>();
    for (var mount : container.path("volumeMounts")) {
      var name = mount.path("name").asString("");
      var source = folders.get(name);
      if (source != null) {
        var part = source.resolve(mount.path("subPath").asString(""));
        Files.createDirectories(part);
        mounts.add(
            new Volume(
                part,
                mount.path("mountPath").asString(""),
                mount.path("readOnly").asBoolean(false)));
      }
    }
    return mounts;
  }
}
