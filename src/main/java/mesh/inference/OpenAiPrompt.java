package mesh.inference;

import com.openai.core.JsonValue;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletionAssistantMessageParam;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionSystemMessageParam;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import com.openai.models.chat.completions.ChatCompletionUserMessageParam;
import java.util.Map;
import mesh.inference.Prompt.ToolOffer;
import mesh.inference.Reply.Call;
import tools.jackson.databind.JsonNode;

/** A prompt in the form of OpenAI's Chat Completions, as plain as can be: many services read it. */
final class OpenAiPrompt {

  private final Question question;
  private final OpenAiDialect dialect;
  private final Names tools;

  private OpenAiPrompt(Question question, OpenAiDialect dialect, Names tools) {
    this.question = question;
    this.dialect = dialect;
    this.tools = tools;
  }

  static ChatCompletionCreateParams of(Question question, OpenAiDialect dialect, Names tools) {
    return new OpenAiPrompt(question, dialect, tools).request();
  }

  private ChatCompletionCreateParams request() {
    var prompt = question.prompt();
    var request = ChatCompletionCreateParams.builder().model(question.model());
    if (dialect.completionTokens()) {
      request.maxCompletionTokens(question.replyTokens());
    } else {
      limitAsBefore(request, question.replyTokens());
    }
    if (dialect.usage()) {
      request.streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build());
    }
    if (question.temperature() != null) {
      request.temperature(question.temperature());
    }
    prompt.tools().forEach(offer -> request.addTool(tool(offer)));
    if (!prompt.system().isBlank()) {
      request.addMessage(
          ChatCompletionSystemMessageParam.builder()
              .content(WellFormed.text(prompt.system()))
              .build());
    }
    for (var turn : Turn.of(prompt.messages())) {
      switch (turn) {
        case Turn.User user -> say(request, user);
        case Turn.Assistant(var reply) -> request.addMessage(message(reply));
      }
    }
    return request.build();
  }

  /** Deprecated by OpenAI, and the only one that most other services know. */
  @SuppressWarnings("deprecation")
  private static void limitAsBefore(ChatCompletionCreateParams.Builder request, int tokens) {
    request.maxTokens(tokens);
  }

  private ChatCompletionFunctionTool tool(ToolOffer offer) {
    var parameters = FunctionParameters.builder();
    Arguments.plain(Schemas.object(offer.schema()))
        .forEach((name, value) -> parameters.putAdditionalProperty(name, JsonValue.from(value)));
    var function =
        FunctionDefinition.builder()
            .name(tools.outward(offer.name()))
            .parameters(parameters.build());
    if (!offer.text().isBlank()) {
      function.description(WellFormed.text(offer.text()));
    }
    return ChatCompletionFunctionTool.builder().function(function.build()).build();
  }

  /** Texts in one message: some models' templates demand that user and assistant take turns. */
  private static void say(ChatCompletionCreateParams.Builder request, Turn.User user) {
    for (var result : user.results()) {
      // There is no field for it in this protocol.
      var failed = result.failed() ? "The call failed: " : "";
      request.addMessage(
          ChatCompletionToolMessageParam.builder()
              .toolCallId(result.call())
              .content(failed + Turn.text(result))
              .build());
    }
    if (!user.texts().isEmpty()) {
      request.addMessage(
          ChatCompletionUserMessageParam.builder()
              .content(String.join("\n\n", user.texts()))
              .build());
    }
  }

  private ChatCompletionAssistantMessageParam message(Reply reply) {
    var message = ChatCompletionAssistantMessageParam.builder();
    if (!reply.text().isBlank()) {
      message.content(WellFormed.text(reply.text()).stripTrailing());
    }
    var kept = OpenAiReply.kept(reply, question.model());
    for (var field : kept.path("message").properties()) {
      message.putAdditionalProperty(field.getKey(), foreign(field.getValue()));
    }
    for (var call : reply.calls()) {
      message.addToolCall(call(call, kept.path("calls").path(call.id())));
    }
    return message.build();
  }

  private ChatCompletionMessageFunctionToolCall call(Call call, JsonNode kept) {
    var more = ChatCompletionMessageFunctionToolCall.builder();
    for (Map.Entry<String, JsonNode> field : kept.properties()) {
      more.putAdditionalProperty(field.getKey(), foreign(field.getValue()));
    }
    return more.id(call.id())
        .function(
            ChatCompletionMessageFunctionToolCall.Function.builder()
                .name(tools.outward(call.tool()))
                .arguments(Arguments.object(call.arguments()).toString())
                .build())
        .build();
  }

  private static JsonValue foreign(JsonNode json) {
    return JsonValue.from(Arguments.JSON.convertValue(json, Object.class));
  }
}
