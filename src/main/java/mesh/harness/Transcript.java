package mesh.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.inference.Message;
import mesh.inference.Reply;
import mesh.run.Step;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What happened in a run, as its model is told, from the run's committed steps alone: whoever reads
 * them again gets the same. A reply's calls and their results are one turn and never come apart.
 * Used by one thread.
 */
final class Transcript {

  private final ContextWindow window;
  private final Repeats repeats = new Repeats();
  private final List<Step> heldBack = new ArrayList<>();
  private final Map<String, Step> outcomes = new LinkedHashMap<>();
  private Optional<Reply> open = Optional.empty();
  private Optional<Reply> last = Optional.empty();
  private int toolCalls;
  private int cutOff;

  Transcript(String task, ContextWindow window) {
    this.window = window;
    window.add(new Message.Asked(task));
  }

  /** A step that is new, or has finished since it was added. */
  void add(Step step) {
    switch (step.kind()) {
      case MODEL -> replied(Replies.of(step.output()));
      case TOOL -> called(step);
      case MESSAGE -> {
        heldBack.add(step);
        if (open.isEmpty()) {
          tellWhatWasHeldBack();
        }
      }
      case NOTICE -> {}
    }
  }

  private void replied(Reply reply) {
    last = Optional.of(reply);
    cutOff = reply.stop() == Reply.Stop.LENGTH && reply.calls().isEmpty() ? cutOff + 1 : 0;
    if (reply.calls().isEmpty()) {
      window.add(new Message.Replied(reply));
    } else {
      open = Optional.of(reply);
    }
  }

  private void called(Step step) {
    var id = step.call();
    if (id == null) {
      // From before replies had calls.
      replied(
          Reply.of(
              "",
              List.of(new Reply.Call("step-" + step.seq(), tool(step), input(step))),
              Reply.Stop.CALLS,
              Reply.Usage.NONE));
      id = "step-" + step.seq();
    }
    if (outcomes.put(id, step) == null) {
      toolCalls++;
    }
    closeIfAllIsThere();
  }

  private void closeIfAllIsThere() {
    var reply = open.orElse(null);
    if (reply == null) {
      return;
    }
    var results = new ArrayList<Message.Result>();
    for (var call : reply.calls()) {
      var step = outcomes.get(call.id());
      if (step == null || step.status() == Step.Status.STARTED) {
        return;
      }
      results.add(result(call, step));
    }
    for (int i = 0; i < results.size(); i++) {
      repeats.add(reply.calls().get(i), results.get(i));
    }
    window.add(new Message.Replied(reply), new Message.Results(results));
    outcomes.clear();
    open = Optional.empty();
    last = Optional.empty();
    tellWhatWasHeldBack();
  }

  private void tellWhatWasHeldBack() {
    for (var step : heldBack) {
      var said = step.output() == null ? JsonNodeFactory.instance.objectNode() : step.output();
      window.add(new Message.Asked(said.path("text").asString("")));
      last = Optional.empty();
    }
    heldBack.clear();
  }

  private static Message.Result result(Reply.Call call, Step step) {
    var output = step.output() == null ? JsonNodeFactory.instance.objectNode() : step.output();
    return new Message.Result(
        call.id(),
        tool(step),
        step.status() != Step.Status.FINISHED,
        output,
        ObservationText.of(output));
  }

  private static String tool(Step step) {
    return step.tool() == null ? "" : step.tool();
  }

  private static JsonNode input(Step step) {
    return step.input() == null ? JsonNodeFactory.instance.objectNode() : step.input();
  }

  /** The next call of the last reply that nobody has begun. */
  Optional<Reply.Call> nextCall() {
    return open.stream()
        .flatMap(reply -> reply.calls().stream())
        .filter(call -> !outcomes.containsKey(call.id()))
        .findFirst();
  }

  /** Whether calls have begun whose results come later. */
  boolean waits() {
    return open.isPresent();
  }

  /** The reply that ends the run, unless somebody says something more. */
  Optional<Reply> end() {
    return last.filter(reply -> reply.calls().isEmpty());
  }

  int toolCalls() {
    return toolCalls;
  }

  /** Replies in a row that said nothing whole. */
  int cutOff() {
    return cutOff;
  }

  Repeats repeats() {
    return repeats;
  }

  List<Message> messages() {
    return window.messages();
  }
}
