package mesh.inference;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A list of tool calls, made one after another whatever comes back, and given up at the first that
 * fails: for tests and the first run. Deterministic, and a function of the transcript alone, so a
 * run resumed elsewhere goes on where it was.
 *
 * <p>{@code {"kind":"scripted","steps":[{"text":"…","tool":"…","arguments":{…}},…],"summary":"…"}}.
 * A command that exits with another code than 0 fails the step unless the step says {@code
 * "may_fail":true}.
 */
final class ScriptedModel implements Model {

  private final List<ScriptStep> steps;
  private final String summary;

  private ScriptedModel(List<ScriptStep> steps, String summary) {
    this.steps = List.copyOf(steps);
    this.summary = summary;
  }

  static ScriptedModel of(JsonNode configuration) {
    if (!configuration.path("steps").isArray()) {
      throw new IllegalArgumentException("A scripted model needs a list of steps.");
    }
    var steps = new ArrayList<ScriptStep>();
    for (var step : configuration.get("steps")) {
      if (!step.path("tool").isString()) {
        throw new IllegalArgumentException("Each step of a scripted model names a tool.");
      }
      steps.add(
          new ScriptStep(
              step.path("text").asString(""),
              step.get("tool").asString(),
              step.has("arguments") ? step.get("arguments") : JsonNodeFactory.instance.objectNode(),
              step.path("may_fail").asBoolean(false)));
    }
    return new ScriptedModel(steps, configuration.path("summary").asString("Done."));
  }

  /** It is never shown less than everything: it counts what was called. */
  @Override
  public Window window() {
    return Window.UNLIMITED;
  }

  @Override
  public Reply next(Prompt prompt) {
    var results =
        prompt.messages().stream()
            .filter(Message.Results.class::isInstance)
            .map(Message.Results.class::cast)
            .flatMap(message -> message.results().stream())
            .toList();
    int made = results.size();
    if (made > 0 && made <= steps.size()) {
      var last = results.getLast();
      if (!steps.get(made - 1).mayFail() && failed(last)) {
        return says(
            "Step %d, %s, failed: %s".formatted(made, last.tool(), why(last)), Reply.Stop.GAVE_UP);
      }
    }
    if (made >= steps.size()) {
      return says(summary, Reply.Stop.DONE);
    }
    var step = steps.get(made);
    return Reply.of(
        step.text(),
        List.of(new Reply.Call("call-" + (made + 1), step.tool(), step.arguments())),
        Reply.Stop.CALLS,
        Reply.Usage.NONE);
  }

  private static Reply says(String text, Reply.Stop stop) {
    return Reply.of(text, List.of(), stop, Reply.Usage.NONE);
  }

  private static boolean failed(Message.Result result) {
    return result.failed()
        || (result.output().has("outcome") && result.output().path("exit_code").asInt(-1) != 0);
  }

  private static String why(Message.Result result) {
    var output = result.output();
    if (output.has("error")) {
      return output.get("error").asString();
    }
    var stderr = output.path("stderr").asString("").strip();
    return output.path("outcome").asString("")
        + " "
        + output.path("exit_code").asString("")
        + (stderr.isEmpty() ? "" : ": " + stderr);
  }

  private record ScriptStep(String text, String tool, JsonNode arguments, boolean mayFail) {}
}
