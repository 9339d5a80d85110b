package mesh.workspace;

import java.time.Duration;
import mesh.settings.ArtifactRetention;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Removes whole outputs that are older than operators want to keep them and whose runs have ended.
 * A few at a time, each batch a transaction of its own; nothing else of a run is touched.
 */
@Component
class OldArtifacts implements Sweep {

  private static final Logger log = LoggerFactory.getLogger(OldArtifacts.class);

  /** Artifacts of one statement, each of which may have hundreds of chunks. */
  private static final int BATCH = 10;

  private final ArtifactRepository rows;
  private final ArtifactRetention retention;
  private final WorkspaceLimits limits;

  OldArtifacts(ArtifactRepository rows, ArtifactRetention retention, WorkspaceLimits limits) {
    this.rows = rows;
    this.retention = retention;
    this.limits = limits;
  }

  @Override
  public String name() {
    return "artifacts";
  }

  @Override
  public Duration period() {
    return limits.sweepEvery();
  }

  @Override
  public void sweep() throws InterruptedException {
    int days = retention.days();
    long removed = 0;
    int batch;
    do {
      if (Thread.interrupted()) {
        throw new InterruptedException("the sweep of artifacts was ended");
      }
      batch = rows.removeOlderThan(days, BATCH);
      removed += batch;
    } while (batch == BATCH);
    if (removed > 0) {
      log.atInfo()
          .addKeyValue("days", days)
          .addKeyValue("removed", removed)
          .log("artifacts removed");
    }
  }
}
