package mesh.inference;

import com.anthropic.core.JsonValue;
import com.anthropic.models.messages.CacheControlEphemeral;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.MessageParam;
import com.anthropic.models.messages.RedactedThinkingBlockParam;
import com.anthropic.models.messages.TextBlockParam;
import com.anthropic.models.messages.ThinkingBlockParam;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlockParam;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import mesh.inference.Prompt.ToolOffer;
import mesh.inference.Reply.Call;
import tools.jackson.databind.JsonNode;

/**
 * A prompt in Anthropic's form. What does not change is marked for its cache: tools, the system
 * prompt, and everything up to the last two turns of the user, four marks in all, which is its
 * limit.
 */
final class AnthropicPrompt {

  private static final CacheControlEphemeral CACHED = CacheControlEphemeral.builder().build();

  private final Question question;
  private final Names tools;
  private final Names ids = new Names(64);

  private AnthropicPrompt(Question question, Names tools) {
    this.question = question;
    this.tools = tools;
  }

  static MessageCreateParams of(Question question, Names tools) {
    return new AnthropicPrompt(question, tools).request();
  }

  private MessageCreateParams request() {
    var prompt = question.prompt();
    var request =
        MessageCreateParams.builder().model(question.model()).maxTokens(question.replyTokens());
    if (question.temperature() != null) {
      // Newer models take none, so the library has no word for it any more.
      request.putAdditionalBodyProperty("temperature", JsonValue.from(question.temperature()));
    }
    if (!prompt.system().isBlank()) {
      request.systemOfTextBlockParams(
          List.of(
              TextBlockParam.builder()
                  .text(WellFormed.text(prompt.system()))
                  .cacheControl(CACHED)
                  .build()));
    }
    for (int i = 0; i < prompt.tools().size(); i++) {
      request.addTool(tool(prompt.tools().get(i), i == prompt.tools().size() - 1));
    }
    var turns = Turn.of(prompt.messages());
    for (int i = 0; i < turns.size(); i++) {
      switch (turns.get(i)) {
        case Turn.User user -> request.addMessage(message(user, i >= turns.size() - 3));
        case Turn.Assistant(var reply) ->
            request.addMessage(MessageParam.ofAssistantOfContentBlockParams(blocks(reply)));
      }
    }
    return request.build();
  }

  private Tool tool(ToolOffer offer, boolean last) {
    var schema = Tool.InputSchema.builder();
    Arguments.plain(Schemas.object(offer.schema()))
        .forEach((name, value) -> {
          if (!name.equals("type")) {
            schema.putAdditionalProperty(name, JsonValue.from(value));
          }
        });
    var tool = Tool.builder().name(tools.outward(offer.name())).inputSchema(schema.build());
    if (!offer.text().isBlank()) {
      tool.description(WellFormed.text(offer.text()));
    }
    if (last) {
      tool.cacheControl(CACHED);
    }
    return tool.build();
  }

  private MessageParam message(Turn.User user, boolean cached) {
    var blocks = new ArrayList<ContentBlockParam>();
    int last = user.results().size() + user.texts().size() - 1;
    for (var result : user.results()) {
      var block =
          ToolResultBlockParam.builder()
              .toolUseId(ids.outward(result.call()))
              .content(Turn.text(result));
      if (result.failed()) {
        block.isError(true);
      }
      if (cached && blocks.size() == last) {
        block.cacheControl(CACHED);
      }
      blocks.add(ContentBlockParam.ofToolResult(block.build()));
    }
    for (var text : user.texts()) {
      var block = TextBlockParam.builder().text(text);
      if (cached && blocks.size() == last) {
        block.cacheControl(CACHED);
      }
      blocks.add(ContentBlockParam.ofText(block.build()));
    }
    return MessageParam.ofUserOfContentBlockParams(blocks);
  }

  /** As the model said it, if it was this model; otherwise the text and the calls alone. */
  private List<ContentBlockParam> blocks(Reply reply) {
    var blocks = new ArrayList<ContentBlockParam>();
    var kept = AnthropicReply.kept(reply, question.model());
    var toldTexts = new StringBuilder();
    var told = new HashSet<String>();
    for (var block : kept) {
      switch (block.path("type").asString("")) {
        case "thinking" -> blocks.add(thinking(block));
        case "redacted_thinking" ->
            blocks.add(
                ContentBlockParam.ofRedactedThinking(
                    RedactedThinkingBlockParam.builder()
                        .data(block.path("data").asString(""))
                        .build()));
        case "text" -> {
          toldTexts.append(block.path("text").asString(""));
          text(block.path("text").asString(""), blocks);
        }
        case "tool_use" ->
            reply.calls().stream()
                .filter(call -> call.id().equals(block.path("id").asString("")))
                .filter(call -> told.add(call.id()))
                .forEach(call -> blocks.add(use(call)));
        default -> {}
      }
    }
    if (!toldTexts.toString().equals(reply.text()) || told.size() < reply.calls().size()) {
      // Somebody changed the reply: what it says now holds, in an order that is always right.
      blocks.removeIf(block -> block.isText() || block.isToolUse());
      text(reply.text(), blocks);
      reply.calls().forEach(call -> blocks.add(use(call)));
    }
    return blocks;
  }

  private static ContentBlockParam thinking(JsonNode block) {
    return ContentBlockParam.ofThinking(
        ThinkingBlockParam.builder()
            .thinking(block.path("thinking").asString(""))
            .signature(block.path("signature").asString(""))
            .build());
  }

  /** Neither empty text nor blanks at its end are taken. */
  private static void text(String text, List<ContentBlockParam> blocks) {
    if (!text.isBlank()) {
      blocks.add(ContentBlockParam.ofText(WellFormed.text(text).stripTrailing()));
    }
  }

  private ContentBlockParam use(Call call) {
    var input = ToolUseBlockParam.Input.builder();
    Arguments.plain(Arguments.object(call.arguments()))
        .forEach((name, value) -> input.putAdditionalProperty(name, JsonValue.from(value)));
    return ContentBlockParam.ofToolUse(
        ToolUseBlockParam.builder()
            .id(ids.outward(call.id()))
            .name(tools.outward(call.tool()))
            .input(input.build())
            .build());
  }
}
