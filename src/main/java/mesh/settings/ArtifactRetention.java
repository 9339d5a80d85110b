package mesh.settings;

import java.util.Map;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** How long the whole outputs of commands are kept after their runs have ended. */
@Service
public class ArtifactRetention {

  private static final int DEFAULT_DAYS = 30;
  private static final int MOST_DAYS = 3_650;

  private final ArtifactRetentionRepository rows;
  private final Activity activity;

  ArtifactRetention(ArtifactRetentionRepository rows, Activity activity) {
    this.rows = rows;
    this.activity = activity;
  }

  /** From 1 to 3,650; 30 until somebody sets it. */
  public int days() {
    return rows.find().orElse(DEFAULT_DAYS);
  }

  /**
   * Sets it. What changes nothing leaves no trace.
   *
   * @param days null is refused
   * @throws Problem 400 {@code retention_invalid}
   */
  @Transactional
  public int save(@Nullable Integer days, ActorId actor) {
    if (days == null || days < 1 || days > MOST_DAYS) {
      throw Problem.badRequest(
              "retention_invalid",
              "Say for how many days outputs are kept: retention_days must be from 1 to %d."
                  .formatted(MOST_DAYS))
          .with("pointer", "/retention_days");
    }
    int before = rows.lock().orElse(DEFAULT_DAYS);
    if (before != days) {
      rows.save(days, actor);
      activity.record(
          Entry.of(actor, "artifact_retention.changed")
              .before(Map.of("retention_days", before))
              .after(Map.of("retention_days", days)));
    }
    return days;
  }
}
