package mesh.activity;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The audit as a file, for programs with a token and for people with a session alike. */
@RestController
final class ActivityExportController {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmm").withZone(ZoneOffset.UTC);

  private final ActivityExport export;
  private final InstantSource clock;

  ActivityExportController(ActivityExport export, InstantSource clock) {
    this.export = export;
    this.clock = clock;
  }

  @GetMapping("/api/activity/export")
  void export(
      @RequestParam String format,
      @RequestParam(required = false) @Nullable String agent,
      @RequestParam(required = false) @Nullable UUID run,
      @RequestParam(required = false) @Nullable String actor,
      @RequestParam(required = false) @Nullable String action,
      @RequestParam(required = false) @Nullable Instant since,
      HttpServletResponse response)
      throws IOException {
    ExportFormat wanted = ExportFormat.named(format);
    response.setContentType(wanted.contentType());
    response.setHeader(
        "Content-Disposition",
        "attachment; filename=\"mesh-activity-%s.%s\""
            .formatted(STAMP.format(clock.instant()), wanted.word()));
    export.write(
        new ActivityFilter(agent, run, actor, action, since, null),
        wanted,
        response.getOutputStream());
  }

  /**
   * Leaves it to the container, which cuts the connection if part of the file is sent already:
   * otherwise that part would pass for the whole.
   */
  @ExceptionHandler
  @SuppressWarnings("DoNotCallSuggester") // Spring calls it for what it throws
  void broken(DataAccessException thrown) {
    throw thrown;
  }
}
