package mesh.workspace;

import java.time.Duration;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.Release;
import mesh.execution.UsageReporter;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Ends one sandbox at its vendor, by the backend that the row names, or lets it fall asleep if it
 * may be kept. Says what became of it and changes no row.
 */
@Component
class SandboxEnd {

  private final Backends backends;
  private final Manifests manifests;
  private final VendorCalls vendor;
  private final InstallationId installation;

  SandboxEnd(
      Backends backends, Manifests manifests, VendorCalls vendor, Installation installation) {
    this.backends = backends;
    this.manifests = manifests;
    this.vendor = vendor;
    this.installation = new InstallationId(installation.id());
  }

  /** What became of it. */
  sealed interface Result {

    /**
     * @param reported how long it ran by the backend's own count; null if it does not say
     */
    record Gone(String how, @Nullable Duration reported) implements Result {}

    /**
     * @param manifest as JSON; null if nobody could look
     */
    record Asleep(@Nullable String manifest) implements Result {}

    /** Nobody here can end it. */
    record Unreachable(String instruction) implements Result {}

    /** A create whose answer was lost may still take effect: to be looked at again. */
    record NotYet() implements Result {}
  }

  /**
   * @throws BackendException if the vendor did not do it
   */
  Result of(Teardown row) throws InterruptedException {
    var name = row.backend();
    var key = row.key();
    if (name == null || key == null) {
      return new Result.Gone("never made", null);
    }
    var runtime = new BackendName(name);
    var backend = backends.named(runtime);
    if (backend.isEmpty()) {
      return new Result.Unreachable(
          "The runtime '%s' is not in this build or has no credential. Complete it under Settings, Agent runtimes, or delete sandbox %s by hand at the vendor and then mark this workspace as released."
              .formatted(name, key));
    }
    var ref = row.ref();
    if (ref != null) {
      return row.keep()
          ? sleep(runtime, backend.get(), ref, row.run())
          : destroy(runtime, backend.get(), ref);
    }
    var found = inInventory(runtime, backend.get(), key);
    if (found != null) {
      return destroy(runtime, backend.get(), found);
    }
    return row.settled() ? new Result.Gone("never seen", null) : new Result.NotYet();
  }

  private Result sleep(BackendName runtime, Backend backend, ExternalRef ref, RunId run)
      throws InterruptedException {
    try {
      var manifest =
          manifests.look(backend, vendor.attach(runtime, backend, ref), run).map(Manifest::json);
      return vendor.release(runtime, backend, ref) == Release.HIBERNATED
          ? new Result.Asleep(manifest.orElse(null))
          : new Result.Gone("destroyed", null);
    } catch (BackendException.SandboxGone gone) {
      return new Result.Gone("gone already", null);
    }
  }

  private Result destroy(BackendName runtime, Backend backend, ExternalRef ref)
      throws InterruptedException {
    var reported = reported(backend, ref);
    vendor.destroy(runtime, backend, ref);
    return new Result.Gone("destroyed", reported);
  }

  /** Asked while there is something to ask about; what goes wrong with it delays no end. */
  private static @Nullable Duration reported(Backend backend, ExternalRef ref)
      throws InterruptedException {
    if (!(backend instanceof UsageReporter reporter)) {
      return null;
    }
    try {
      return reporter.used(ref).orElse(null);
    } catch (BackendException unknown) {
      return null;
    }
  }

  private @Nullable ExternalRef inInventory(BackendName runtime, Backend backend, String key)
      throws InterruptedException {
    return vendor.list(runtime, backend, installation).entries().stream()
        .filter(entry -> entry.key().value().equals(key))
        .map(InventoryEntry::ref)
        .findFirst()
        .orElse(null);
  }
}
