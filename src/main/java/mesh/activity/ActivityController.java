package mesh.activity;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import mesh.web.Cursor;
import mesh.web.Limit;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit for operators: who did what to which agent, connection or run. */
@RestController
final class ActivityController {

  private final Activity activity;

  ActivityController(Activity activity) {
    this.activity = activity;
  }

  @GetMapping("/api/activity")
  Map<String, @Nullable Object> entries(
      @RequestParam(required = false) @Nullable String agent,
      @RequestParam(required = false) @Nullable UUID run,
      @RequestParam(required = false) @Nullable String actor,
      @RequestParam(required = false) @Nullable String action,
      @RequestParam(required = false) @Nullable Instant since,
      @RequestParam(required = false) @Nullable Cursor cursor,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit) {
    return activity
        .newest(new ActivityFilter(agent, run, actor, action, since, cursor), limit)
        .json("entries");
  }
}
