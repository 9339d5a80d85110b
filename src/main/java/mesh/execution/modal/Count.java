package mesh.execution.modal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.SandboxKey;
import modal.client.SandboxInfo;
import modal.client.SandboxListRequest;
import modal.client.SandboxListResponse;

/** Takes stock of the sandboxes of the app that run, each by its id and so once. */
final class Count {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final double MICROS = 1e6;

  private final InstallationId installation;
  private final Map<String, InventoryEntry> own = new HashMap<>();
  private final Set<String> others = new HashSet<>();
  private final Set<String> unmarked = new HashSet<>();

  private Count(InstallationId installation) {
    this.installation = installation;
  }

  /**
   * The vendor lists the newest first, and pages go on before the last one's time until one is
   * empty. Its list lags: what was just made may be missing and what just ended may be there.
   */
  static Inventory of(ControlPlane plane, Ingredients ingredients, InstallationId installation)
      throws InterruptedException {
    var count = new Count(installation);
    var request =
        SandboxListRequest.newBuilder()
            .setAppId(ingredients.app())
            .setEnvironmentName(ingredients.plan().environment());
    double before = 0;
    while (true) {
      var asked = request.setBeforeTimestamp(before).build();
      var page = plane.asking(LIMIT, stub -> stub.sandboxListV2(asked));
      if (page.getSandboxesCount() == 0) {
        return new Inventory(
            List.copyOf(count.own.values()), count.others.size(), count.unmarked.size());
      }
      page.getSandboxesList().forEach(count::add);
      before = oldest(page, before);
    }
  }

  private static double oldest(SandboxListResponse page, double before) {
    double oldest =
        page.getSandboxesList().stream().mapToDouble(SandboxInfo::getCreatedAt).min().orElse(0);
    if (oldest <= 0 || (before > 0 && oldest >= before)) {
      // Half an inventory would be taken for the whole.
      throw new BackendException.Unexpected("Modal sent a page of its list a second time", null);
    }
    return oldest;
  }

  private void add(SandboxInfo sandbox) {
    if (sandbox.getMetadata().hasResult()) {
      return;
    }
    var id = sandbox.getId();
    var key = key(sandbox.getName());
    if (key.isEmpty()) {
      unmarked.add(id);
    } else if (key.get().isOf(installation)) {
      long micros = Math.round(sandbox.getCreatedAt() * MICROS);
      var created = Instant.EPOCH.plus(Duration.ofNanos(1000).multipliedBy(micros));
      own.put(id, new InventoryEntry(key.get(), ExternalRef.of(id), created));
    } else {
      others.add(id);
    }
  }

  private static Optional<SandboxKey> key(String name) {
    try {
      return Optional.of(new SandboxKey(name));
    } catch (IllegalArgumentException madeByHand) {
      return Optional.empty();
    }
  }
}
