package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.SandboxKey;

/** Takes stock of the pods of the namespace, living and dead. */
final class Census {

  private final InstallationId installation;
  private final Map<String, InventoryEntry> own = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final Set<String> unmarked = new HashSet<>();

  Census(InstallationId installation) {
    this.installation = installation;
  }

  void add(Pod pod) {
    var name = pod.getMetadata().getName();
    var key = key(pod);
    if (key.isEmpty()) {
      unmarked.add(name);
    } else if (key.get().isOf(installation)) {
      own.put(name, new InventoryEntry(key.get(), Identity.of(pod).ref(), created(pod)));
    } else {
      others.add(name);
    }
  }

  /** By its labels and its name: either alone can be had by chance. */
  private static Optional<SandboxKey> key(Pod pod) {
    if (!Manifest.label(pod, Manifest.MANAGED_BY).equals(Manifest.MESH)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new SandboxKey(pod.getMetadata().getName()));
    } catch (IllegalArgumentException madeByHand) {
      return Optional.empty();
    }
  }

  private static Instant created(Pod pod) {
    try {
      return Instant.parse(Demise.text(pod.getMetadata().getCreationTimestamp()));
    } catch (DateTimeParseException noTime) {
      throw new BackendException.Unexpected(
          "Kubernetes does not say when it made " + pod.getMetadata().getName(), null);
    }
  }

  Inventory inventory() {
    return new Inventory(List.copyOf(own.values()), others.size(), unmarked.size());
  }
}
