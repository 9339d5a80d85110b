package mesh.simulator.modal;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import modal.client.NetworkAccess;
import modal.client.Sandbox;
import modal.client.SandboxHandleMetadata;
import modal.client.SandboxInfo;

/** One sandbox: its record, which stays, and its container, which does not. */
final class ModalSandbox {

  private final Identity identity;
  private final Sandbox definition;
  private final Container container;
  private volatile Optional<Instant> finishedAt = Optional.empty();
  private volatile String name;
  private volatile Map<String, String> tags;
  private volatile NetworkAccess access;

  /** What never changes. */
  record Identity(
      String id, String taskId, String appId, Generation generation, Instant createdAt) {}

  ModalSandbox(
      Identity identity, Sandbox definition, Map<String, String> tags, Container container) {
    this.identity = identity;
    this.definition = definition;
    this.container = container;
    this.name = definition.getName();
    this.tags = Map.copyOf(tags);
    this.access = definition.getNetworkAccess();
  }

  String id() {
    return identity.id();
  }

  String taskId() {
    return identity.taskId();
  }

  String appId() {
    return identity.appId();
  }

  Generation generation() {
    return identity.generation();
  }

  Instant createdAt() {
    return identity.createdAt();
  }

  Sandbox definition() {
    return definition;
  }

  Container container() {
    return container;
  }

  /** Empty if it has none. */
  String name() {
    return name;
  }

  void name(String value) {
    name = value;
  }

  Map<String, String> tags() {
    return tags;
  }

  void tags(Map<String, String> value) {
    tags = Map.copyOf(value);
  }

  NetworkAccess access() {
    return access;
  }

  void access(NetworkAccess value) {
    access = value;
  }

  void finishedAt(Instant at) {
    finishedAt = Optional.of(at);
  }

  boolean isFinished() {
    return container.finished().isDone();
  }

  boolean ranAt(Instant then) {
    return !isFinished() || finishedAt.map(end -> end.isAfter(then)).orElse(false);
  }

  /** MiB; 0 if there is no limit. */
  long memoryLimit() {
    var resources = definition.getResources();
    return Integer.toUnsignedLong(
        resources.getMemoryMbMax() != 0 ? resources.getMemoryMbMax() : resources.getMemoryMb());
  }

  SandboxHandleMetadata metadata() {
    return metadata(!isFinished());
  }

  private SandboxHandleMetadata metadata(boolean asRunning) {
    var metadata = SandboxHandleMetadata.newBuilder().setAppId(appId());
    if (!asRunning) {
      metadata.setResult(container.finished().join());
    }
    return metadata.build();
  }

  SandboxInfo info(boolean asRunning) {
    var info =
        SandboxInfo.newBuilder()
            .setId(id())
            .setCreatedAt(seconds(createdAt()))
            .setAppId(appId())
            .addAllTags(Names.tags(tags))
            .setName(name)
            .setImageId(definition.getImageId())
            .setTimeoutSecs(definition.getTimeoutSecs())
            .setMetadata(metadata(asRunning));
    if (definition.hasIdleTimeoutSecs()) {
      info.setIdleTimeoutSecs(definition.getIdleTimeoutSecs());
    }
    return info.build();
  }

  /** As the vendor has times: to the microsecond. */
  static double seconds(Instant at) {
    return at.getEpochSecond() + at.getNano() / 1000 / 1e6;
  }
}
