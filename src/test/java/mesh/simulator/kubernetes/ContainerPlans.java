package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import mesh.simulator.namespace.Login;
import mesh.simulator.namespace.Volume;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes plans of what a pod says of its containers. Every image is this machine, run by the user
 * {@code agent} with the id 1000 unless the pod says otherwise, and its entry point sleeps.
 */
final class ContainerPlans {

  private static final int IMAGE_USER = 1000;
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private final Store store;
  private final Settings settings;
  private final Path folder;
  private final ObjectNode pod;
  private final PodVolumes volumes;

  ContainerPlans(Store store, Settings settings, Path folder, ObjectNode pod, PodVolumes volumes) {
    this.store = store;
    this.settings = settings;
    this.folder = folder;
    this.pod = pod;
    this.volumes = volumes;
  }

  /**
   * @throws Blocked if it says something that cannot be had
   */
  ContainerPlan of(JsonNode container) throws IOException, Blocked {
    var name = container.path("name").asString("");
    var own = folder.resolve(name);
    var login = login(container);
    var directory = container.path("workingDir").asString("/");
    var mounts = new ArrayList<>(volumes.mountedIn(container));
    provide(directory, mounts, own);
    var argv = new ArrayList<String>();
    container.path("command").forEach(it -> argv.add(it.asString("")));
    container.path("args").forEach(it -> argv.add(it.asString("")));
    if (argv.isEmpty()) {
      argv.addAll(List.of("sleep", "infinity"));
    }
    var readOnly =
        container.path("securityContext").path("readOnlyRootFilesystem").asBoolean(false);
    return new ContainerPlan(
        name, own, login, directory, environment(container, login), argv, mounts, readOnly);
  }

  private Login login(JsonNode container) throws Blocked {
    var user = (int) security(container, "runAsUser", IMAGE_USER);
    var group = (int) security(container, "runAsGroup", user);
    if (user == 0 && wants(container, "runAsNonRoot")) {
      throw new Blocked(
          "CreateContainerConfigError",
          "container's runAsUser breaks non-root policy (pod: \""
              + Json.text(pod, "metadata.name")
              + "\", container: "
              + container.path("name").asString("")
              + ")");
    }
    return user == 0
        ? new Login("root", 0, group, "/root")
        : new Login("agent", user, group, "/home/agent");
  }

  private long security(JsonNode container, String field, long otherwise) {
    var ofPod = pod.path("spec").path("securityContext").path(field).asLong(otherwise);
    return container.path("securityContext").path(field).asLong(ofPod);
  }

  private boolean wants(JsonNode container, String field) {
    var ofPod = pod.path("spec").path("securityContext").path(field).asBoolean(false);
    return container.path("securityContext").path(field).asBoolean(ofPod);
  }

  /** A container's runtime makes a working directory that the image lacks. */
  private static void provide(String directory, List<Volume> mounts, Path own) throws IOException {
    var wanted = Path.of(directory).normalize();
    for (var mount : mounts) {
      var target = Path.of(mount.target()).normalize();
      if (wanted.startsWith(target)) {
        Files.createDirectories(mount.source().resolve(target.relativize(wanted).toString()));
        return;
      }
    }
    if (!Files.isDirectory(wanted)) {
      var source = Files.createDirectories(own.resolve("work"));
      mounts.add(new Volume(source, directory, false));
    }
  }

  private Map<String, String> environment(JsonNode container, Login login) throws Blocked {
    var environment = new LinkedHashMap<String, String>();
    environment.put("PATH", PATH);
    environment.put("HOSTNAME", Json.text(pod, "metadata.name"));
    environment.put("HOME", login.home());
    environment.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    environment.put("KUBERNETES_SERVICE_PORT", Integer.toString(settings.port()));
    for (var source : container.path("envFrom")) {
      var prefix = source.path("prefix").asString("");
      var key =
          source.has("secretRef")
              ? named(ResourceType.SECRET, Json.text(source, "secretRef.name"))
              : named(ResourceType.CONFIG_MAP, Json.text(source, "configMapRef.name"));
      for (var entry : data(key).entrySet()) {
        environment.put(prefix + entry.getKey(), entry.getValue());
      }
    }
    for (var variable : container.path("env")) {
      environment.put(variable.path("name").asString(""), value(variable));
    }
    return environment;
  }

  private String value(JsonNode variable) throws Blocked {
    var from = variable.path("valueFrom");
    if (from.has("secretKeyRef")) {
      return value(ResourceType.SECRET, from.path("secretKeyRef"));
    }
    if (from.has("configMapKeyRef")) {
      return value(ResourceType.CONFIG_MAP, from.path("configMapKeyRef"));
    }
    if (from.has("fieldRef")) {
      return Json.text(pod, Json.text(from, "fieldRef.fieldPath"));
    }
    return variable.path("value").asString("");
  }

  private String value(ResourceType type, JsonNode reference) throws Blocked {
    var key = named(type, reference.path("name").asString(""));
    var value = data(key).get(reference.path("key").asString(""));
    if (value == null) {
      throw new Blocked(
          "CreateContainerConfigError",
          "couldn't find key "
              + reference.path("key").asString("")
              + " in "
              + type.kind()
              + " "
              + key.namespace()
              + "/"
              + key.name());
    }
    return value;
  }

  private Key named(ResourceType type, String name) {
    return new Key(type, Json.text(pod, "metadata.namespace"), name);
  }

  private Map<String, String> data(Key key) throws Blocked {
    var object = store.find(key).orElse(null);
    if (object == null) {
      throw new Blocked(
          "CreateContainerConfigError",
          key.type().kind().toLowerCase(Locale.ROOT) + " \"" + key.name() + "\" not found");
    }
    var data = Json.texts(object.path("data"));
    if (key.type().equals(ResourceType.SECRET)) {
      data.replaceAll((_, value) -> new String(Base64.getDecoder().decode(value), UTF_8));
    }
    return data;
  }
}
