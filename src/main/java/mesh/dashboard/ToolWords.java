package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.output.Folded;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.StepView.Link;
import mesh.dashboard.view.StepView.Output;
import mesh.run.Step;
import tools.jackson.databind.JsonNode;

/**
 * A tool call in the words of the timeline. The workspace tools have words of their own; of any
 * other tool its arguments and result are shown as they are.
 */
record ToolWords(
    Badge badge,
    String tool,
    String verb,
    String subject,
    Folded script,
    String outcome,
    List<Fact> facts,
    List<Output> outputs,
    List<String> notes,
    List<Link> downloads) {

  static ToolWords of(Step step, JsonNode output) {
    String tool = String.valueOf(step.tool());
    JsonNode input = StepViews.present(step.input());
    return switch (tool) {
      case "workspace_exec" -> ExecWords.of(step, tool, input, output);
      case "workspace_read_file" -> read(step, tool, input, output);
      case "workspace_write_file" -> write(step, tool, input, output);
      default -> other(step, tool, input, output);
    };
  }

  static List<String> notes(JsonNode output) {
    List<String> notes = new ArrayList<>();
    if (output.path("error").isString()) {
      notes.add(VisibleText.line(output.path("error").stringValue()));
    }
    if (output.path("notice").isString()) {
      notes.add(VisibleText.line(output.path("notice").stringValue()));
    }
    long redactions = output.path("redactions").asLong(0);
    if (redactions > 0) {
      notes.add(Spoken.count(redactions, "secret was", "secrets were") + " taken out.");
    }
    if (output.path("redacted").asBoolean(false)) {
      notes.add("Secrets were taken out.");
    }
    long children = output.path("still_running").asLong(0);
    if (children > 0) {
      notes.add(Spoken.count(children, "process goes", "processes go") + " on in the background.");
    }
    if (output.path("truncated").asBoolean(false)) {
      long bytes = output.path("stdout_bytes").asLong(0) + output.path("stderr_bytes").asLong(0);
      notes.add("Only the start and the end of " + Spoken.bytes(bytes) + " are shown.");
    }
    return notes;
  }

  private static ToolWords read(Step step, String tool, JsonNode input, JsonNode output) {
    return file(step, tool, "Read", input, output, output.path("content"), output.path("encoding"));
  }

  private static ToolWords write(Step step, String tool, JsonNode input, JsonNode output) {
    return file(step, tool, "Write", input, output, input.path("content"), input.path("encoding"));
  }

  private static ToolWords file(
      Step step,
      String tool,
      String verb,
      JsonNode input,
      JsonNode output,
      JsonNode content,
      JsonNode encoding) {
    List<Output> outputs = new ArrayList<>();
    if (!content.asString("").isEmpty()) {
      outputs.add(
          encoding.asString("").equals("base64")
              ? new Output("not text", false, Folded.of("(binary content)"))
              : new Output("", false, Folded.of(content.asString(""))));
    }
    return new ToolWords(
        StepViews.badge(step.status()),
        tool,
        verb,
        VisibleText.line(input.path("path").asString("")),
        Folded.of(""),
        output.path("size").isNumber() ? Spoken.bytes(output.path("size").asLong(0)) : "",
        List.of(),
        outputs,
        notes(output),
        List.of());
  }

  private static ToolWords other(Step step, String tool, JsonNode input, JsonNode output) {
    List<Output> outputs = new ArrayList<>();
    if (!output.isMissingNode() && !output.path("error").isString()) {
      outputs.add(new Output("", false, Folded.of(output.toPrettyString())));
    }
    return new ToolWords(
        StepViews.badge(step.status()),
        tool,
        VisibleText.line(tool),
        "",
        input.isEmpty() ? Folded.of("") : Folded.of(input.toPrettyString()),
        "",
        List.of(),
        outputs,
        notes(output),
        List.of());
  }
}
