package mesh.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.output.Folded;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.StepView.Link;
import mesh.dashboard.view.StepView.Output;
import mesh.run.Step;
import org.springframework.web.util.UriUtils;
import tools.jackson.databind.JsonNode;

/** A command in the words of the timeline. */
final class ExecWords {

  private ExecWords() {}

  static ToolWords of(Step step, String tool, JsonNode input, JsonNode output) {
    Typed typed = Typed.of(input);
    return new ToolWords(
        badge(step, output),
        tool,
        "Run",
        typed.line(),
        typed.block(),
        ended(output),
        facts(input),
        outputs(output),
        ToolWords.notes(output),
        downloads(output));
  }

  private static List<Fact> facts(JsonNode input) {
    List<Fact> facts = new ArrayList<>();
    if (input.path("dir").isString()) {
      facts.add(new Fact("in", VisibleText.line(input.path("dir").stringValue()), "", true));
    }
    if (input.path("timeout_seconds").isNumber()) {
      facts.add(Fact.of("at most", input.path("timeout_seconds").asLong(0) + " s"));
    }
    if (input.path("stdin").isString()) {
      facts.add(
          Fact.of(
              "stdin",
              Spoken.bytes(
                  input.path("stdin").stringValue().getBytes(StandardCharsets.UTF_8).length)));
    }
    if (!input.path("secrets").isEmpty()) {
      List<String> names = new ArrayList<>();
      input.path("secrets").forEach(it -> names.add(it.asString("")));
      facts.add(new Fact("secrets", VisibleText.line(String.join(", ", names)), "", true));
    }
    return facts;
  }

  private static Badge badge(Step step, JsonNode output) {
    if (step.status() != Step.Status.FINISHED) {
      return StepViews.badge(step.status());
    }
    return switch (output.path("outcome").asString("")) {
      case "exited" ->
          output.path("exit_code").asInt(0) == 0
              ? new Badge(Mark.GOOD, "Done")
              : new Badge(Mark.BAD, "Failed");
      case "unknown" -> new Badge(Mark.ATTENTION, "Outcome unknown");
      default -> new Badge(Mark.BAD, "Failed");
    };
  }

  private static String ended(JsonNode output) {
    return switch (output.path("outcome").asString("")) {
      case "exited" -> "exit " + output.path("exit_code").asInt(0);
      case "signalled" -> "signal " + output.path("signal").asInt(0);
      case "timed_out" -> "timed out";
      case "out_of_memory" -> "out of memory";
      case "sandbox_lost" -> "sandbox lost";
      case "unknown" -> "outcome unknown";
      default -> "";
    };
  }

  private static List<Output> outputs(JsonNode output) {
    String stdout = output.path("stdout").asString("");
    String stderr = output.path("stderr").asString("");
    List<Output> outputs = new ArrayList<>();
    if (!stdout.isEmpty()) {
      outputs.add(new Output(stderr.isEmpty() ? "" : "stdout", false, Folded.of(stdout)));
    }
    if (!stderr.isEmpty()) {
      outputs.add(new Output("stderr", true, Folded.of(stderr)));
    }
    return outputs;
  }

  private static List<Link> downloads(JsonNode output) {
    List<Link> links = new ArrayList<>();
    if (output.path("artifact").isString()) {
      for (String channel : List.of("stdout", "stderr")) {
        long bytes = output.path(channel + "_bytes").asLong(0);
        if (bytes > 0) {
          links.add(
              new Link(
                  "Whole %s, %s".formatted(channel, Spoken.bytes(bytes)),
                  "/api/artifacts/%s/%s"
                      .formatted(
                          UriUtils.encodePathSegment(
                              output.path("artifact").stringValue(), StandardCharsets.UTF_8),
                          channel)));
        }
      }
    }
    return links;
  }
}
