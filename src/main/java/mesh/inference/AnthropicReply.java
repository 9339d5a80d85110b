package mesh.inference;

import com.anthropic.core.JsonField;
import com.anthropic.core.ObjectMappers;
import com.anthropic.models.messages.MessageDeltaUsage;
import com.anthropic.models.messages.RawContentBlockDeltaEvent;
import com.anthropic.models.messages.RawContentBlockStartEvent;
import com.anthropic.models.messages.RawMessageDeltaEvent;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.ToolUseBlock;
import com.anthropic.models.messages.Usage;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import mesh.inference.Reply.Stop;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Puts a streamed message of Anthropic's together. */
final class AnthropicReply {

  private static final String WIRE = "anthropic";

  /** A part of the message; which fields are filled depends on the type. */
  private static final class Block {
    private final String type;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder signature = new StringBuilder();
    private final Draft.Piece call = new Draft.Piece();
    private String whole = "";

    private Block(String type) {
      this.type = type;
    }
  }

  private final Connection connection;
  private final Question question;
  private final Names tools;
  private final CallIds ids;
  private final Troubles troubles;
  private final Draft draft;
  private final TreeMap<Long, Block> blocks = new TreeMap<>();
  private String stop = "";
  private @Nullable String reason;
  private boolean ended;
  private long fresh;
  private long written;
  private long cached;
  private long output;

  AnthropicReply(
      Connection connection, Question question, Names tools, CallIds ids, Troubles troubles) {
    this.connection = connection;
    this.question = question;
    this.tools = tools;
    this.ids = ids;
    this.troubles = troubles;
    this.draft = new Draft(troubles);
  }

  /** Events that it does not know are none of its matter. */
  void read(RawMessageStreamEvent event) throws Trouble {
    if (event.isMessageStart()) {
      event.asMessageStart().message()._usage().asKnown().ifPresent(this::count);
    } else if (event.isContentBlockStart()) {
      begin(event.asContentBlockStart());
    } else if (event.isContentBlockDelta()) {
      continued(event.asContentBlockDelta());
    } else if (event.isMessageDelta()) {
      end(event.asMessageDelta());
    } else if (event.isMessageStop()) {
      ended = true;
    }
  }

  private void begin(RawContentBlockStartEvent event) throws Trouble {
    var start = event.contentBlock();
    Block block;
    if (start.isText()) {
      block = new Block("text");
      draft.append(block.text, start.asText()._text().asKnown().orElse(""));
    } else if (start.isThinking()) {
      block = new Block("thinking");
      draft.append(block.text, start.asThinking()._thinking().asKnown().orElse(""));
      draft.append(block.signature, start.asThinking()._signature().asKnown().orElse(""));
    } else if (start.isRedactedThinking()) {
      block = new Block("redacted_thinking");
      draft.append(block.text, start.asRedactedThinking()._data().asKnown().orElse(""));
    } else if (start.isToolUse()) {
      block = new Block("tool_use");
      block.call.id = start.asToolUse()._id().asKnown().orElse("");
      block.call.tool = start.asToolUse()._name().asKnown().orElse("");
      block.whole = input(start.asToolUse());
    } else {
      // Only tools that Mesh does not offer make others.
      block = new Block("other");
    }
    blocks.put(event.index(), block);
    if (blocks.size() > Draft.MOST_CALLS) {
      throw troubles.garbled("Its reply had more parts than any reply has.");
    }
  }

  /** Some services send the arguments with the start, and nothing after it. */
  private static String input(ToolUseBlock use) {
    try {
      return ObjectMappers.jsonMapper().writeValueAsString(use._input());
    } catch (JsonProcessingException e) {
      return "";
    }
  }

  private void continued(RawContentBlockDeltaEvent event) throws Trouble {
    var block = blocks.get(event.index());
    if (block == null) {
      throw troubles.garbled("It went on with a part of its reply that it had not begun.");
    }
    var delta = event.delta();
    if (delta.isText()) {
      draft.append(block.text, delta.asText().text());
    } else if (delta.isThinking()) {
      draft.append(block.text, delta.asThinking().thinking());
    } else if (delta.isSignature()) {
      draft.append(block.signature, delta.asSignature().signature());
    } else if (delta.isInputJson()) {
      draft.append(block.call.arguments, delta.asInputJson().partialJson());
    }
  }

  private void end(RawMessageDeltaEvent event) {
    event._usage().asKnown().ifPresent(this::count);
    var delta = event.delta();
    delta._stopReason().asKnown().ifPresent(known -> stop = known.toString());
    delta
        ._stopDetails()
        .asKnown()
        .flatMap(details -> details._explanation().asKnown())
        .ifPresent(text -> reason = text);
  }

  private void count(Usage usage) {
    fresh = number(usage._inputTokens(), fresh);
    written = number(usage._cacheCreationInputTokens(), written);
    cached = number(usage._cacheReadInputTokens(), cached);
    output = number(usage._outputTokens(), output);
  }

  /** Totals so far, not what came on top. */
  private void count(MessageDeltaUsage usage) {
    fresh = number(usage._inputTokens(), fresh);
    written = number(usage._cacheCreationInputTokens(), written);
    cached = number(usage._cacheReadInputTokens(), cached);
    output = number(usage._outputTokens(), output);
  }

  private static long number(JsonField<Long> field, long otherwise) {
    return field.asKnown().orElse(otherwise);
  }

  Reply whole() throws Trouble {
    if (!ended) {
      throw troubles.cut();
    }
    var text = new StringBuilder();
    var pieces = new ArrayList<Draft.Piece>();
    for (var block : blocks.values()) {
      if (block.type.equals("text")) {
        text.append(block.text);
      } else if (block.type.equals("tool_use")) {
        if (block.call.arguments.isEmpty()) {
          block.call.arguments.append(block.whole);
        }
        pieces.add(block.call);
      }
    }
    var said = WellFormed.text(text.toString());
    var usage = Costs.usage(connection, question.model(), fresh + written + cached, cached, output);
    if (stop.equals("refusal")) {
      return Reply.of(Draft.refusal(said, reason), List.of(), Stop.GAVE_UP, usage);
    }
    boolean cut = stop.equals("max_tokens") || stop.equals("model_context_window_exceeded");
    var calls = Draft.calls(pieces, cut, tools, ids);
    // A pause is for tools that Mesh does not offer; whoever asks again goes on from there.
    cut |= stop.equals("pause_turn") && calls.isEmpty();
    return new Reply(said, calls, Draft.stop(cut, calls), usage, kept(calls));
  }

  /** All parts in their order, if there are thoughts among them: those must come back unchanged. */
  private JsonNode kept(List<Reply.Call> calls) {
    var kept = JsonNodeFactory.instance.objectNode();
    if (blocks.values().stream().noneMatch(block -> block.type.contains("thinking"))) {
      return kept;
    }
    kept.put("wire", WIRE).put("model", question.model());
    var parts = kept.putArray("blocks");
    var rest = calls.iterator();
    for (var block : blocks.values()) {
      switch (block.type) {
        case "text" ->
            parts
                .addObject()
                .put("type", "text")
                .put("text", WellFormed.text(block.text.toString()));
        case "thinking" ->
            parts
                .addObject()
                .put("type", "thinking")
                .put("thinking", block.text.toString())
                .put("signature", block.signature.toString());
        case "redacted_thinking" ->
            parts.addObject().put("type", "redacted_thinking").put("data", block.text.toString());
        case "tool_use" -> {
          if (rest.hasNext()) {
            parts.addObject().put("type", "tool_use").put("id", rest.next().id());
          }
        }
        default -> {}
      }
    }
    return kept;
  }

  /** What an earlier reply kept; nothing if it was another service's or another model's. */
  static JsonNode kept(Reply reply, String model) {
    var kept = reply.kept();
    boolean own =
        kept.path("wire").asString("").equals(WIRE)
            && kept.path("model").asString("").equals(model);
    return own ? kept.path("blocks") : JsonNodeFactory.instance.arrayNode();
  }
}
