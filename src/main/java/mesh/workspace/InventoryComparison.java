package mesh.workspace;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.catalog.BackendName;
import mesh.fault.FaultPoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Compares one vendor's list with the rows. What this installation made and no row knows is
 * destroyed after a grace; what a row believes in and the list does not show is asked for by
 * itself, because lists lag. Of others' sandboxes nothing is touched: they are counted.
 */
@Component
class InventoryComparison {

  private static final Logger log = LoggerFactory.getLogger(InventoryComparison.class);

  private final InventoryRepository rows;
  private final VendorCalls vendor;
  private final WorkspaceLimits limits;
  private final InstallationId installation;

  InventoryComparison(
      InventoryRepository rows,
      VendorCalls vendor,
      WorkspaceLimits limits,
      Installation installation) {
    this.rows = rows;
    this.vendor = vendor;
    this.limits = limits;
    this.installation = new InstallationId(installation.id());
  }

  /** What a comparison found, in numbers. */
  record Found(int ours, int unknown, int destroyed, int missing, int others, int unmarked) {}

  Found of(BackendName name, Backend backend) throws InterruptedException {
    // The list before the rows: whatever is in it had its row committed before it was made.
    var inventory = vendor.list(name, backend, installation);
    var listed =
        inventory.entries().stream()
            .map(entry -> entry.key().value())
            .collect(Collectors.toUnmodifiableSet());
    var known = rows.known(listed, limits.orphanGrace());
    var unknown =
        inventory.entries().stream().filter(entry -> !known.contains(entry.key().value())).toList();
    return new Found(
        inventory.entries().size(),
        unknown.size(),
        destroy(name, backend, unknown),
        confirmMissing(name, backend, listed),
        inventory.others(),
        inventory.unmarked());
  }

  private int destroy(BackendName name, Backend backend, List<InventoryEntry> unknown)
      throws InterruptedException {
    int destroyed = 0;
    for (var entry : unknown) {
      if (!rows.isOlderThan(entry.createdAt(), limits.orphanGrace())
          || !rows.known(Set.of(entry.key().value()), limits.orphanGrace()).isEmpty()) {
        continue;
      }
      FaultPoint.ORPHAN_FOUND.hit();
      try {
        vendor.destroy(name, backend, entry.ref());
        destroyed++;
        log.atError()
            .addKeyValue("runtime", name)
            .addKeyValue("sandbox", entry.key().value())
            .log("sandbox in no row: destroyed");
      } catch (BackendException trouble) {
        log.atWarn()
            .setCause(trouble)
            .addKeyValue("runtime", name)
            .addKeyValue("sandbox", entry.key().value())
            .log("sandbox in no row: not destroyed yet");
      }
    }
    return destroyed;
  }

  /** Absence from a list proves nothing: the vendor is asked for each by itself. */
  private int confirmMissing(BackendName name, Backend backend, Set<String> listed)
      throws InterruptedException {
    int missing = 0;
    for (var row : rows.believed(name.value(), listed)) {
      try {
        var _ = vendor.attach(name, backend, row.ref());
      } catch (BackendException.SandboxGone gone) {
        if (rows.lost(row, "sandbox_lost: " + gone.getMessage())) {
          missing++;
          log.atWarn()
              .addKeyValue("runtime", name)
              .addKeyValue("workspace", row.workspace())
              .log("sandbox is gone although nobody released it");
        }
      } catch (BackendException trouble) {
        log.atInfo()
            .addKeyValue("workspace", row.workspace())
            .addKeyValue("why", trouble.getMessage())
            .log("sandbox missing from the list; not known whether it is gone");
      }
    }
    return missing;
  }
}
