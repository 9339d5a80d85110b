package mesh.activity;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import mesh.web.Limit;
import mesh.web.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes entries out, newest first, a page at a time: memory and locks stay as they are however
 * long the audit is. Entries that are made meanwhile are not among them.
 */
@Component
final class ActivityExport {

  private static final Limit PAGE = new Limit(200);

  private final Activity activity;
  private final JsonMapper json;

  ActivityExport(Activity activity, JsonMapper json) {
    this.activity = activity;
    this.json = json;
  }

  /** Flushes at the end only: what stops halfway does not look whole. */
  void write(ActivityFilter filter, ExportFormat format, OutputStream out) throws IOException {
    Page<Recorded> page = activity.newest(filter, PAGE);
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    if (format == ExportFormat.CSV) {
      writer.write(
          Csv.line(
              "id",
              "at",
              "actor",
              "actor_id",
              "action",
              "agent",
              "run",
              "connection",
              "before",
              "after"));
    }
    while (true) {
      for (Recorded entry : page.rows()) {
        writer.write(line(entry, format));
      }
      if (page.next().isEmpty()) {
        writer.flush();
        return;
      }
      page = activity.newest(filter.from(page.next().get()), PAGE);
    }
  }

  private String line(Recorded entry, ExportFormat format) {
    return switch (format) {
      case CSV ->
          Csv.line(
              entry.id(),
              entry.at(),
              entry.actor(),
              entry.actorId(),
              entry.action(),
              entry.agent(),
              entry.run(),
              entry.connection(),
              entry.before(),
              entry.after());
      case JSONL ->
          json.writeValueAsString(
                  new Recorded(
                      entry.id(),
                      entry.at(),
                      entry.actor(),
                      entry.actorId(),
                      entry.action(),
                      entry.agent(),
                      entry.run(),
                      entry.connection(),
                      oneLine(entry.before()),
                      oneLine(entry.after())))
              + "\n";
    };
  }

  /** JSON has line breaks only between its parts, where a blank is as good. */
  private static @Nullable String oneLine(@Nullable String value) {
    return value == null ? null : value.replace('\n', ' ').replace('\r', ' ');
  }
}
