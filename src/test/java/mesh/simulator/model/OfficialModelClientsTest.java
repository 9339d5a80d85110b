package mesh.simulator.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.MessageCreateParams;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import mesh.Canaries;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelReply.Text;
import mesh.simulator.model.ModelReply.Thought;
import org.junit.jupiter.api.Test;

/** The vendors' own clients, whole, cannot tell the simulator from the service. */
class OfficialModelClientsTest {

  @Test
  void anthropicsReadsAndChecksEveryEvent() throws Exception {
    try (var service = ModelSimulator.start(0)) {
      service.script(_ ->
          ModelReply.calls(
              new Thought("Let me see.", "signed"),
              new Text("I look."),
              new Call("toolu_1", "read", "{\"path\":\"a\"}")));
      var client =
          AnthropicOkHttpClient.builder()
              .apiKey(Canaries.fresh("sk-ant-"))
              .baseUrl(service.anthropic())
              .build();
      var accumulator = MessageAccumulator.create();

      try (var stream =
          client
              .messages()
              .createStreaming(
                  MessageCreateParams.builder()
                      .model("simulated")
                      .maxTokens(100)
                      .addUserMessage("Count the files.")
                      .build())) {
        stream.stream().forEach(event -> accumulator.accumulate(event.validate()));
      }
      client.close();

      var message = accumulator.message().validate();
      assertThat(message.content()).hasSize(3);
      assertThat(message.content().get(0).asThinking().signature()).isEqualTo("signed");
      assertThat(message.content().get(1).asText().text()).isEqualTo("I look.");
      assertThat(message.content().get(2).asToolUse()._input().toString()).contains("path=a");
      assertThat(message.usage().outputTokens()).isEqualTo(7);
    }
  }

  @Test
  void openAisReadsAndChecksEveryChunk() throws Exception {
    try (var service = ModelSimulator.start(0)) {
      service.script(_ ->
          ModelReply.calls(
              new Text("I look."),
              new Call("call_1", "read", "{\"path\":\"a\"}"),
              new Call("call_2", "read", "{}")));
      var client =
          OpenAIOkHttpClient.builder()
              .apiKey(Canaries.fresh("sk-"))
              .baseUrl(service.openAi())
              .build();
      var accumulator = ChatCompletionAccumulator.create();

      try (var stream =
          client
              .chat()
              .completions()
              .createStreaming(
                  ChatCompletionCreateParams.builder()
                      .model("simulated")
                      .maxCompletionTokens(100)
                      .addUserMessage("Count the files.")
                      .build())) {
        stream.stream().forEach(chunk -> accumulator.accumulate(chunk.validate()));
      }
      client.close();

      var choice = accumulator.chatCompletion().validate().choices().getFirst();
      assertThat(choice.message().content()).contains("I look.");
      var calls = choice.message().toolCalls().orElseThrow();
      assertThat(calls).hasSize(2);
      assertThat(calls.getFirst().asFunction().function().arguments())
          .isEqualTo("{\"path\":\"a\"}");
    }
  }
}
