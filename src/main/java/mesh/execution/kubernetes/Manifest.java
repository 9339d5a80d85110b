package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import mesh.execution.InstallationId;
import mesh.execution.SandboxKey;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;

/** How a sandbox is written as a pod, which the strictest Pod Security level lets through. */
final class Manifest {

  static final SandboxPath HOME = new SandboxPath("/home/agent");
  static final SandboxPath PROJECT = HOME.resolve("project");
  static final String CONTAINER = "agent";

  /** What the first command of a pod compares with the pod it meant. */
  static final String IDENTITY = "MESH_POD";

  static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  static final String MESH = "mesh";
  static final String INSTALLATION = "mesh/installation";
  static final String SANDBOX = "mesh/sandbox";
  static final String WORKSPACE = "mesh/workspace";
  static final String GENERATION = "mesh/generation";
  static final String SIZE = "mesh/size";
  static final String LIFETIME = "mesh/lifetime";

  private static final long USER = 1000;
  private static final long GRACE = 1;
  private static final long TOLERATION = 30;

  /**
   * The first process of a container must take leave of the orphans that commands leave to it,
   * which {@code sleep} alone does not; a shell that waits does. It heeds SIGTERM, which the kernel
   * keeps from a first process that has no handler for it.
   */
  private static final String FIRST_PROCESS =
      "trap 'exit 0' TERM; while :; do sleep 3600 & wait \"$!\"; done";

  private final Template template;

  Manifest(Template template) {
    this.template = template;
  }

  /** What is the operator's. */
  record Template(
      String image, String runtimeClass, String pullSecret, Tiers tiers, Optional<Claims> claims) {}

  /** Only for where there are any. */
  Claims claims() {
    return template.claims().orElseThrow();
  }

  /** A sandbox as it is made first. */
  Pod pod(SandboxSpec spec, OwnerReference owner) {
    var self = new EnvVarBuilder().withName(IDENTITY);
    self.withNewValueFrom()
        .withNewFieldRef()
        .withFieldPath("metadata.uid")
        .endFieldRef()
        .endValueFrom();
    var volume = template.claims().map(claims -> claims.fresh(spec.size()));
    return pod(spec, owner, Map.of(), self.build(), volume);
  }

  /** The same sandbox with other files: a pod that takes the place of {@code pod}. */
  Pod successor(Pod pod, OwnerReference owner, Volume project) {
    var first = Identity.of(pod).uid();
    var self = new EnvVarBuilder().withName(IDENTITY).withValue(first).build();
    return pod(spec(pod), owner, Map.of(Identity.FIRST_UID, first), self, Optional.of(project));
  }

  private Pod pod(
      SandboxSpec spec,
      OwnerReference owner,
      Map<String, String> annotations,
      EnvVar self,
      Optional<Volume> project) {
    var home = new VolumeBuilder().withName("home");
    home.withNewEmptyDir().withSizeLimit(Tiers.disk(spec.size())).endEmptyDir();
    var builder = new PodBuilder();
    builder
        .withNewMetadata()
        .withName(spec.key().value())
        .withLabels(labels(spec))
        .withAnnotations(annotations)
        .addToAnnotations(SIZE, spec.size().name())
        .addToAnnotations(LIFETIME, spec.lifetime().toString())
        .withOwnerReferences(owner)
        .endMetadata();
    builder
        .withNewSpec()
        .withRestartPolicy("Never")
        .withActiveDeadlineSeconds(spec.lifetime().plusNanos(999_999_999).toSeconds())
        .withTerminationGracePeriodSeconds(GRACE)
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withRuntimeClassName(template.runtimeClass().isEmpty() ? null : template.runtimeClass())
        .withImagePullSecrets(
            Stream.of(template.pullSecret())
                .filter(it -> !it.isEmpty())
                .map(LocalObjectReference::new)
                .toList())
        .withTolerations(gone("not-ready"), gone("unreachable"))
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withRunAsUser(USER)
        .withRunAsGroup(USER)
        .withFsGroup(USER)
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .withVolumes(Stream.concat(Stream.of(home.build()), project.stream()).toList())
        .withContainers(container(spec.size(), self, project))
        .endSpec();
    return builder.build();
  }

  private Container container(Size size, EnvVar self, Optional<Volume> project) {
    var mounts =
        new ArrayList<>(
            List.of(new VolumeMountBuilder().withName("home").withMountPath(HOME.value()).build()));
    // Below the top of its volume, which may hold what a file system keeps there for itself.
    project.ifPresent(volume ->
        mounts.add(
            new VolumeMountBuilder()
                .withName(volume.getName())
                .withMountPath(PROJECT.value())
                .withSubPath("project")
                .build()));
    return new ContainerBuilder()
        .withName(CONTAINER)
        .withImage(template.image())
        .withCommand("sh", "-c", FIRST_PROCESS)
        .withWorkingDir(HOME.value())
        .withEnv(new EnvVarBuilder().withName("HOME").withValue(HOME.value()).build(), self)
        .withResources(template.tiers().of(size))
        .withVolumeMounts(mounts)
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withPrivileged(false)
        .withAllowPrivilegeEscalation(false)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .endSecurityContext()
        .build();
  }

  /** The cluster's own default keeps a pod for five minutes on a node that is gone. */
  private static Toleration gone(String how) {
    return new Toleration("NoExecute", "node.kubernetes.io/" + how, "Exists", TOLERATION, null);
  }

  static Map<String, String> labels(SandboxSpec spec) {
    return Map.of(
        MANAGED_BY, MESH,
        INSTALLATION, spec.installation().value(),
        SANDBOX, spec.key().value(),
        WORKSPACE, spec.workspace().toString(),
        GENERATION, Integer.toString(spec.generation()));
  }

  static String label(Pod pod, String name) {
    var labels = pod.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(name, "");
  }

  private static String annotation(Pod pod, String name) {
    var annotations = pod.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(name, "");
  }

  /** What was asked for when a pod was made. */
  static SandboxSpec spec(Pod pod) {
    return new SandboxSpec(
        new SandboxKey(pod.getMetadata().getName()),
        SandboxSpec.DEFAULT_IMAGE,
        Size.valueOf(annotation(pod, SIZE)),
        Duration.parse(annotation(pod, LIFETIME)),
        new InstallationId(label(pod, INSTALLATION)),
        UUID.fromString(label(pod, WORKSPACE)),
        Integer.parseInt(label(pod, GENERATION)));
  }
}
