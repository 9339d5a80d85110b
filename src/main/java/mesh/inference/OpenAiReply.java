package mesh.inference;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.openai.core.JsonField;
import com.openai.core.JsonValue;
import com.openai.core.ObjectMappers;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionChunk.Choice;
import com.openai.models.chat.completions.ChatCompletionChunk.Choice.Delta;
import com.openai.models.chat.completions.ChatCompletionChunk.Choice.Delta.ToolCall;
import com.openai.models.completions.CompletionUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import mesh.inference.Reply.Stop;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Puts a streamed completion together. Liberal: services leave out indexes, ids, usage and the
 * right reason for the end, or send a call whole.
 */
final class OpenAiReply {

  private static final String WIRE = "openai";

  /** What services other than OpenAI want back with calls: thoughts, and signatures of calls. */
  private static final Set<String> KEPT_OF_MESSAGE =
      Set.of("reasoning_content", "reasoning_details");

  private static final Set<String> KEPT_OF_CALL = Set.of("extra_content", "thought_signature");

  private final Connection connection;
  private final Question question;
  private final Names tools;
  private final CallIds ids;
  private final Troubles troubles;
  private final Draft draft;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder refusal = new StringBuilder();
  private final List<Draft.Piece> pieces = new ArrayList<>();
  private final Map<Long, Draft.Piece> byIndex = new TreeMap<>();
  private final ObjectNode kept = JsonNodeFactory.instance.objectNode();
  private final List<ObjectNode> keptOfCalls = new ArrayList<>();
  private String stop = "";
  private long input;
  private long cached;
  private long output;

  OpenAiReply(
      Connection connection, Question question, Names tools, CallIds ids, Troubles troubles) {
    this.connection = connection;
    this.question = question;
    this.tools = tools;
    this.ids = ids;
    this.troubles = troubles;
    this.draft = new Draft(troubles);
  }

  void read(ChatCompletionChunk chunk) throws Trouble {
    chunk._usage().asKnown().ifPresent(this::count);
    var choices = chunk._choices().asKnown().orElse(List.of());
    for (var choice : choices) {
      // Nobody asked for more than one.
      if (choice._index().asKnown().orElse(0L) == 0) {
        read(choice);
      }
    }
  }

  private void read(Choice choice) throws Trouble {
    var delta = choice._delta().asKnown();
    if (delta.isPresent()) {
      read(delta.get());
    }
    choice._finishReason().asKnown().ifPresent(reason -> stop = reason.toString());
  }

  private void read(Delta delta) throws Trouble {
    draft.append(text, string(delta._content()));
    draft.append(refusal, string(delta._refusal()));
    for (var more : delta._allProperties().entrySet()) {
      if (KEPT_OF_MESSAGE.contains(more.getKey())) {
        keep(more.getKey(), more.getValue());
      }
    }
    for (var call : delta._toolCalls().asKnown().orElse(List.of())) {
      read(call);
    }
  }

  /** Pieces of texts are joined, pieces of lists are put behind each other. */
  private void keep(String name, JsonValue value) throws Trouble {
    var json = json(value);
    if (json.isString()) {
      var longer = new StringBuilder(kept.path(name).asString(""));
      draft.append(longer, json.asString());
      kept.put(name, longer.toString());
    } else if (json.isArray()) {
      draft.append(new StringBuilder(), json.toString());
      var list = kept.path(name).isArray() ? kept.withArray(name) : kept.putArray(name);
      json.forEach(list::add);
    }
  }

  private void read(ToolCall call) throws Trouble {
    var id = string(call._id());
    var piece = piece(call._index().asKnown().orElse(null), id);
    if (!id.isEmpty()) {
      piece.id = id;
    }
    var function = call._function().asKnown();
    if (function.isPresent()) {
      var name = string(function.get()._name());
      // Some repeat the name with each piece, none sends it in parts.
      piece.tool = name.isEmpty() ? piece.tool : name;
      draft.append(piece.arguments, string(function.get()._arguments()));
    }
    for (var more : call._allProperties().entrySet()) {
      if (KEPT_OF_CALL.contains(more.getKey())) {
        var json = json(more.getValue());
        draft.append(new StringBuilder(), json.toString());
        keptOfCalls.get(pieces.indexOf(piece)).set(more.getKey(), json);
      }
    }
  }

  /** The call a piece belongs to: by its index, unless that is missing or the id is another. */
  private Draft.Piece piece(@Nullable Long index, String id) throws Trouble {
    Draft.Piece known;
    if (index != null) {
      known = byIndex.get(index);
    } else {
      known = pieces.isEmpty() ? null : pieces.getLast();
    }
    boolean same = known != null && (id.isEmpty() || known.id.isEmpty() || known.id.equals(id));
    if (known != null && same && !(index == null && !id.isEmpty() && known.id.isEmpty())) {
      return known;
    }
    if (pieces.size() >= Draft.MOST_CALLS) {
      throw troubles.garbled("Its reply had more calls than any reply has.");
    }
    var piece = new Draft.Piece();
    pieces.add(piece);
    keptOfCalls.add(JsonNodeFactory.instance.objectNode());
    if (index != null) {
      byIndex.put(index, piece);
    }
    return piece;
  }

  private void count(CompletionUsage usage) {
    input = usage._promptTokens().asKnown().orElse(input);
    output = usage._completionTokens().asKnown().orElse(output);
    cached =
        usage
            ._promptTokensDetails()
            .asKnown()
            .flatMap(details -> details._cachedTokens().asKnown())
            .orElse(cached);
    // Some do not count thoughts among what was said, and pay them all the same.
    long total = usage._totalTokens().asKnown().orElse(0L);
    output = Math.max(output, total - input);
  }

  Reply whole() throws Trouble {
    if (stop.isEmpty()) {
      throw troubles.cut();
    }
    var said = WellFormed.text(text.toString());
    var usage = Costs.usage(connection, question.model(), input, cached, output);
    boolean refused = !refusal.isEmpty() || stop.equals("content_filter");
    if (refused) {
      var why = Draft.refusal(said, WellFormed.text(refusal.toString()));
      return Reply.of(why, List.of(), Stop.GAVE_UP, usage);
    }
    boolean cut = stop.equals("length");
    var calls = Draft.calls(pieces, cut, tools, ids);
    return new Reply(said, calls, Draft.stop(cut, calls), usage, kept(calls));
  }

  private JsonNode kept(List<Reply.Call> calls) {
    var all = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < calls.size(); i++) {
      if (!keptOfCalls.get(i).isEmpty()) {
        all.withObject("calls").set(calls.get(i).id(), keptOfCalls.get(i));
      }
    }
    // Thoughts are wanted back while calls are under way, and only then.
    if (!kept.isEmpty() && !calls.isEmpty()) {
      all.set("message", WellFormed.json(kept));
    }
    return all.isEmpty() ? all : all.put("wire", WIRE).put("model", question.model());
  }

  /** What an earlier reply kept; nothing if it was another service's or another model's. */
  static JsonNode kept(Reply reply, String model) {
    var kept = reply.kept();
    boolean own =
        kept.path("wire").asString("").equals(WIRE)
            && kept.path("model").asString("").equals(model);
    return own ? kept : JsonNodeFactory.instance.objectNode();
  }

  /** A text, or the JSON of whatever else is there: some send arguments as an object. */
  private static String string(JsonField<String> field) {
    var known = field.asKnown();
    if (known.isPresent()) {
      return known.get();
    }
    var other = field.asUnknown();
    return other.isEmpty() || field.isNull() || field.isMissing()
        ? ""
        : json(other.get()).toString();
  }

  private static JsonNode json(JsonValue value) {
    try {
      return Troubles.read(ObjectMappers.jsonMapper().writeValueAsString(value));
    } catch (JsonProcessingException e) {
      return Troubles.read("");
    }
  }
}
