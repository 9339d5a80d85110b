package mesh.webhook;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import mesh.access.PublicUrl;
import mesh.redaction.RedactedJson;
import mesh.run.Run;
import mesh.run.RunAwaitsInput;
import mesh.run.RunNoticed;
import mesh.run.RunRedactions;
import mesh.run.RunWorkspaces;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What receivers get: {@code {"id","type","at","data":{"run":{…},…}}}, documented in {@code
 * docs/webhooks.md}. Whatever an agent said is without the run's secrets, as in its steps.
 */
@Component
class Payloads {

  /** In characters; the run itself has the rest. Receivers of this scheme expect some 20 KB. */
  private static final int LONGEST_TEXT = 8_000;

  private final JsonMapper json;
  private final PublicUrl urls;
  private final RunRedactions redactions;
  private final RunWorkspaces workspaces;

  Payloads(JsonMapper json, PublicUrl urls, RunRedactions redactions, RunWorkspaces workspaces) {
    this.json = json;
    this.urls = urls;
    this.redactions = redactions;
    this.workspaces = workspaces;
  }

  /** Has nothing that an agent said, and so nothing to redact. */
  ObjectNode created(Run run) {
    var data = about(run);
    data.put("mode", run.mode().word());
    data.put("created_by", run.createdByName());
    data.put("on_behalf_of", run.onBehalfOf());
    data.put("conversation", text(run.conversation()));
    data.put("parent_run", run.parent() == null ? null : run.parent().toString());
    data.put("continues", run.continues() == null ? null : run.continues().toString());
    return data;
  }

  ObjectNode noticed(Run run, RunNoticed notice) {
    var data = about(run);
    data.put("seq", notice.seq());
    data.put("notice", notice.kind());
    data.put("text", clamped(notice.text()));
    return clean(run, data);
  }

  ObjectNode awaitsInput(Run run, RunAwaitsInput waiting) {
    var data = about(run);
    data.put("question", clamped(redactions.of(run.id()).apply(waiting.question())));
    return clean(run, data);
  }

  ObjectNode ended(Run run) {
    var data = about(run);
    data.put("reason", clamped(run.statusReason()));
    data.put("summary", clamped(run.summary()));
    data.put("started_at", text(run.startedAt()));
    data.put("ended_at", text(run.endedAt()));
    var usage = data.putObject("usage");
    var workspace = workspaces.of(List.of(run.id())).get(run.id());
    usage.put(
        "compute_seconds",
        workspace == null ? 0 : Math.round(workspace.computeSeconds() * 1000) / 1000.0);
    usage.put("input_tokens", run.usage().inputTokens());
    usage.put("output_tokens", run.usage().outputTokens());
    usage.put("cost", run.usage().costMicros() / 1_000_000.0);
    return clean(run, data);
  }

  /** The whole body, as it is sent and signed. */
  String body(UUID id, String type, Instant at, ObjectNode data) {
    var body = json.createObjectNode();
    body.put("id", id.toString());
    body.put("type", type);
    body.put("at", text(at));
    body.set("data", data);
    return json.writeValueAsString(body);
  }

  /** What a test tells. */
  ObjectNode ping(WebhookId id, String name) {
    var data = json.createObjectNode();
    data.putObject("webhook").put("id", id.toString()).put("name", name);
    return data;
  }

  private ObjectNode about(Run run) {
    var data = json.createObjectNode();
    data.putObject("run")
        .put("id", run.id().toString())
        .put("agent", run.agentSlug())
        .put("status", run.status().word())
        .put("url", urls.of("/runs/" + run.id()));
    return data;
  }

  private ObjectNode clean(Run run, ObjectNode data) {
    return RedactedJson.object(data, redactions.of(run.id()));
  }

  private static @Nullable String clamped(@Nullable String text) {
    if (text == null || text.length() <= LONGEST_TEXT) {
      return text;
    }
    int end =
        Character.isHighSurrogate(text.charAt(LONGEST_TEXT - 1)) ? LONGEST_TEXT - 1 : LONGEST_TEXT;
    return text.substring(0, end) + "…";
  }

  private static @Nullable String text(@Nullable Instant at) {
    return at == null ? null : at.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static @Nullable String text(@Nullable UUID id) {
    return id == null ? null : id.toString();
  }
}
