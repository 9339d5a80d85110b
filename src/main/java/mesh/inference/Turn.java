package mesh.inference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mesh.inference.Message.Result;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A conversation as every service accepts it: the user and the assistant take turns, the user
 * begins and ends, each call of a turn is answered once in the next, and nobody says nothing.
 */
sealed interface Turn {

  /** Said where the prompt leaves nothing else to say. */
  String GO_ON = "Go on.";

  /** Said for a tool that put out nothing, and for a call whose result is missing. */
  String NO_OUTPUT = "(no output)";

  /** The results of all calls of the turn before, in the calls' order, and then texts. */
  record User(List<Result> results, List<String> texts) implements Turn {}

  /** A reply with a text, calls or both. */
  record Assistant(Reply reply) implements Turn {}

  static List<Turn> of(List<Message> messages) {
    var turns = new ArrayList<Turn>();
    var calls = List.<Reply.Call>of();
    var results = new HashMap<String, Result>();
    var texts = new ArrayList<String>();
    for (var message : messages) {
      switch (message) {
        case Message.Asked(var text) -> {
          if (!text.isBlank()) {
            texts.add(WellFormed.text(text));
          }
        }
        case Message.Results(var more) ->
            more.forEach(result -> results.putIfAbsent(result.call(), result));
        case Message.Replied(var reply) -> {
          // A refusal without a word is no turn: services refuse empty ones.
          if (!reply.text().isBlank() || !reply.calls().isEmpty()) {
            turns.add(user(calls, results, texts));
            turns.add(new Assistant(reply));
            calls = reply.calls();
            results.clear();
            texts.clear();
          }
        }
      }
    }
    turns.add(user(calls, results, texts));
    return turns;
  }

  private static User user(
      List<Reply.Call> calls, Map<String, Result> results, List<String> texts) {
    var answers = new ArrayList<Result>();
    for (var call : calls) {
      var result = results.get(call.id());
      answers.add(result == null ? unknown(call) : result);
    }
    var said = answers.isEmpty() && texts.isEmpty() ? List.of(GO_ON) : List.copyOf(texts);
    return new User(List.copyOf(answers), said);
  }

  /** Services take no call that is not answered. */
  private static Result unknown(Reply.Call call) {
    return new Result(
        call.id(),
        call.tool(),
        true,
        JsonNodeFactory.instance.objectNode(),
        "What became of this call is not known.");
  }

  /** What a result says, never empty. */
  static String text(Result result) {
    return result.text().isBlank() ? NO_OUTPUT : WellFormed.text(result.text());
  }
}
