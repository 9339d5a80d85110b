package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.output.Folded;
import mesh.dashboard.output.Row;
import mesh.dashboard.output.Terminal;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.StepView;
import mesh.dashboard.view.When;
import mesh.run.Run;
import mesh.run.RunOutput;
import mesh.run.Step;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Steps as rows become steps as the timeline shows them. */
final class StepViews {

  private static final int LAST_ROWS = 24;
  private static final Duration WORTH_TELLING = Duration.ofMillis(100);

  private StepViews() {}

  /**
   * @param soFar what the call has printed, if it still runs
   */
  static StepView of(Run run, Step step, RunOutput.Tail soFar, Instant now) {
    String offset = "+" + Spoken.duration(Duration.between(run.createdAt(), step.startedAt()));
    When at = When.of(step.startedAt(), now);
    JsonNode output = present(step.output());
    return switch (step.kind()) {
      case NOTICE ->
          new StepView.Notice(
              step.seq(),
              step.status().word(),
              offset,
              at,
              VisibleText.block(sentence(output)),
              points(output));
      case MESSAGE ->
          new StepView.Notice(
              step.seq(),
              step.status().word(),
              offset,
              at,
              VisibleText.block(output.path("by").asString("") + ": " + sentence(output)),
              List.of());
      case MODEL ->
          new StepView.Said(
              step.seq(),
              step.status().word(),
              offset,
              at,
              badge(step.status()),
              thinking(step, now),
              since(step),
              VisibleText.block(sentence(output)),
              tokens(output));
      case TOOL -> called(step, soFar, offset, at, now, output);
    };
  }

  private static StepView called(
      Step step, RunOutput.Tail soFar, String offset, When at, Instant now, JsonNode output) {
    ToolWords words = ToolWords.of(step, output);
    boolean printed = soFar.end() > 0;
    return new StepView.Called(
        step.seq(),
        printed ? step.status().word() + "-" + soFar.end() : step.status().word(),
        offset,
        at,
        words.badge(),
        duration(step, now),
        since(step),
        words.tool(),
        words.verb(),
        words.subject(),
        words.script(),
        words.outcome(),
        words.facts(),
        printed ? List.of(soFar(soFar)) : words.outputs(),
        words.notes(),
        words.downloads());
  }

  private static StepView.Output soFar(RunOutput.Tail tail) {
    List<Row> rows = Terminal.rows(tail.text());
    List<Row> last = rows.subList(Math.max(0, rows.size() - LAST_ROWS), rows.size());
    boolean all = tail.from() == 0 && last.size() == rows.size();
    return new StepView.Output(
        all ? "so far" : "so far, the end of it", false, new Folded(last, List.of(), List.of()));
  }

  static JsonNode present(@org.jspecify.annotations.Nullable JsonNode node) {
    return node == null ? MissingNode.getInstance() : node;
  }

  static Badge badge(Step.Status status) {
    return switch (status) {
      case STARTED -> new Badge(Mark.ACTIVE, "Running");
      case FINISHED -> new Badge(Mark.GOOD, "Done");
      case FAILED -> new Badge(Mark.BAD, "Failed");
      case UNKNOWN -> new Badge(Mark.ATTENTION, "Outcome unknown");
    };
  }

  private static String sentence(JsonNode output) {
    for (String field : List.of("text", "message", "error")) {
      if (output.path(field).isString()) {
        return output.path(field).stringValue();
      }
    }
    return output.isString() ? output.stringValue() : "";
  }

  private static List<String> points(JsonNode output) {
    List<String> points = new ArrayList<>();
    output.path("without").forEach(it -> points.add(VisibleText.line(it.asString(""))));
    return points;
  }

  private static List<Fact> tokens(JsonNode output) {
    JsonNode usage = output.path("usage");
    List<Fact> facts = new ArrayList<>();
    if (usage.path("input_tokens").isNumber()) {
      facts.add(
          Fact.of(
              "tokens",
              "%,d in, %,d out"
                  .formatted(
                      usage.path("input_tokens").asLong(0),
                      usage.path("output_tokens").asLong(0))));
    }
    return facts;
  }

  private static String duration(Step step, Instant now) {
    Instant finished = step.finishedAt();
    return Spoken.duration(Duration.between(step.startedAt(), finished == null ? now : finished));
  }

  /** Nothing for a turn that was stored at once, as most are: it tells no time. */
  private static String thinking(Step step, Instant now) {
    Instant finished = step.finishedAt();
    return finished != null
            && Duration.between(step.startedAt(), finished).compareTo(WORTH_TELLING) < 0
        ? ""
        : duration(step, now);
  }

  private static String since(Step step) {
    return step.finishedAt() == null ? step.startedAt().toString() : "";
  }
}
