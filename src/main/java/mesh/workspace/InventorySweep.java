package mesh.workspace;

import java.time.Duration;
import java.util.TreeMap;
import mesh.execution.BackendException;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.RuntimeCatalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Compares what each vendor has with what the rows say, at each start and then every ten minutes,
 * on one of the instances. Each backend has its share of the time, so that one whose vendor hangs
 * keeps no other waiting.
 */
@Component
class InventorySweep implements Sweep {

  private static final Logger log = LoggerFactory.getLogger(InventorySweep.class);

  private final RuntimeCatalog catalog;
  private final Backends backends;
  private final InventoryRepository rows;
  private final InventoryComparison comparison;
  private final WorkspaceLimits limits;
  private volatile boolean started;

  InventorySweep(
      RuntimeCatalog catalog,
      Backends backends,
      InventoryRepository rows,
      InventoryComparison comparison,
      WorkspaceLimits limits) {
    this.catalog = catalog;
    this.backends = backends;
    this.rows = rows;
    this.comparison = comparison;
    this.limits = limits;
  }

  @Override
  public String name() {
    return "inventory";
  }

  @Override
  public Duration period() {
    return limits.sweepEvery();
  }

  @Override
  public void sweep() throws InterruptedException {
    // After a start it is not waited until the last comparison is old: who knows what died.
    var recent =
        started ? limits.sweepEvery().multipliedBy(9).dividedBy(10) : Duration.ofSeconds(5);
    started = true;
    var work = new TreeMap<String, TimeShares.Work>();
    for (var descriptor : catalog.descriptors()) {
      var name = descriptor.name();
      work.put(name.value(), () -> compare(name, recent));
    }
    new TimeShares(limits.sweepLimit().multipliedBy(9).dividedBy(10))
        .run(work, name -> failed(name, "no answer in its share of the time"));
  }

  private void compare(BackendName name, Duration recent) throws InterruptedException {
    try {
      var backend = backends.named(name);
      if (backend.isPresent() && rows.begin(name.value(), recent)) {
        rows.end(name.value(), comparison.of(name, backend.get()));
      }
    } catch (BackendException trouble) {
      failed(name.value(), String.valueOf(trouble.getMessage()));
    } catch (RuntimeException broken) {
      // One that breaks, for example on a secret that cannot be opened, must not stop the others.
      log.atWarn().setCause(broken).addKeyValue("runtime", name).log("comparison broke");
    }
  }

  private void failed(String name, String why) {
    log.atWarn().addKeyValue("runtime", name).addKeyValue("why", why).log("no comparison");
    rows.failed(name, why);
  }
}
