package mesh.inference;

import static mesh.inference.SimulatedService.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.Map;
import mesh.inference.Connection.Wire;
import mesh.inference.Message.Asked;
import mesh.inference.Message.Replied;
import mesh.inference.Message.Result;
import mesh.inference.Message.Results;
import mesh.inference.Reply.Stop;
import mesh.inference.Reply.Usage;
import mesh.simulator.model.Fault;
import org.junit.jupiter.api.Test;

/** What services that speak OpenAI's protocol make of it. */
class OpenAiModelTest {

  private static final Message TASK = new Asked("Count the files.");

  private static Reply read(String... chunks) throws Exception {
    try (var service = new SimulatedService(Wire.OPENAI)) {
      return read(service, chunks);
    }
  }

  private static Reply read(SimulatedService service, String... chunks) throws Exception {
    var stream = new StringBuilder(": keep-alive\n\n");
    for (var chunk : chunks) {
      stream.append("data: ").append(chunk).append("\n\n");
    }
    service.simulator.next(new Fault.Other("text/event-stream", stream + "data: [DONE]\n\n"));
    return service.ask(TASK);
  }

  private static String delta(String delta, String finish) {
    return "{\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}"
        .formatted(delta, finish);
  }

  @Test
  void callsComeWholeWithoutIndexesUsageOrTheRightEnd() throws Exception {
    var reply =
        read(
            delta(
                """
                {"tool_calls":[{"id":"","function":{"name":"read","arguments":{"path":"a"}}}]}\
                """,
                "null"),
            delta(
                """
                {"tool_calls":[{"id":"call_number_2","function":{"name":"read","arguments":"{}"}}]}\
                """,
                "\"stop\""));

    assertThat(reply.stop()).isEqualTo(Stop.CALLS);
    assertThat(reply.calls()).hasSize(2);
    assertThat(reply.calls().get(0).arguments()).isEqualTo(json("{\"path\":\"a\"}"));
    assertThat(reply.calls().get(1).id()).isEqualTo("call_number_2");
    assertThat(reply.usage()).isEqualTo(Usage.NONE);
  }

  @Test
  void callsThatShareAnIndexAreToldApartByTheirIds() throws Exception {
    var call =
        "{\"tool_calls\":[{\"index\":0,\"id\":\"%s\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]}";

    var reply =
        read(
            delta(call.formatted("call_number_1"), "null"),
            delta(call.formatted("call_number_2"), "\"tool_calls\""));

    assertThat(reply.calls())
        .extracting(Reply.Call::id)
        .containsExactly("call_number_1", "call_number_2");
  }

  @Test
  void aRefusalIsOne() throws Exception {
    var reply = read(delta("{\"refusal\":\"I will not.\"}", "\"stop\""));

    assertThat(reply.stop()).isEqualTo(Stop.GAVE_UP);
    assertThat(reply.text()).isEqualTo("I will not.");
  }

  @Test
  void thoughtsThatAreNotCountedArePaid() throws Exception {
    var usage =
        "{\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":40}}";

    assertThat(read(delta("{\"content\":\"x\"}", "\"stop\""), usage).usage().output())
        .isEqualTo(30);
  }

  @Test
  void signaturesOfCallsComeBack() throws Exception {
    try (var service = new SimulatedService(Wire.OPENAI)) {
      var reply =
          read(
              service,
              delta("{\"reasoning_content\":\"Let me \"}", "null"),
              delta("{\"reasoning_content\":\"see.\"}", "null"),
              delta(
                  """
                  {"tool_calls":[{"index":0,"id":"call_number_1","extra_content":{"s":"signed"},\
                  "function":{"name":"read","arguments":"{}"}}]}\
                  """,
                  "\"tool_calls\""));

      service.ask(
          TASK,
          new Replied(reply),
          new Results(List.of(new Result("call_number_1", "read", false, json("{}"), "fine"))));

      var sent = service.simulator.requests().getLast().body().at("/messages/2");
      assertThat(sent.path("reasoning_content").asString("")).isEqualTo("Let me see.");
      assertThat(sent.at("/tool_calls/0/extra_content")).isEqualTo(json("{\"s\":\"signed\"}"));
      assertThat(service.simulator.broken()).isEmpty();
    }
  }

  @Test
  void whatAServiceDoesNotKnowIsLeftOutFromThenOn() throws Exception {
    try (var service = new SimulatedService(Wire.OPENAI)) {
      service.simulator.next(
          new Fault.Refused(
              400,
              "unsupported_parameter",
              "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
              Map.of()));
      service.simulator.next(
          new Fault.Refused(
              422, "invalid", "body.stream_options: extra inputs are not permitted", Map.of()));

      service.ask(TASK);
      service.ask(TASK);

      var requests = service.simulator.requests();
      assertThat(requests).hasSize(4);
      assertThat(requests.get(0).body().has("max_tokens")).isTrue();
      for (int i = 2; i < 4; i++) {
        assertThat(requests.get(i).body().has("max_completion_tokens")).isTrue();
        assertThat(requests.get(i).body().has("stream_options")).isFalse();
      }
      assertThat(service.pauses).isEmpty();
    }
  }

  @Test
  void aServiceThatKnowsNeitherLimitIsNotAskedForEver() throws Exception {
    try (var service = new SimulatedService(Wire.OPENAI)) {
      for (var name : List.of("max_tokens", "max_completion_tokens", "max_tokens")) {
        service.simulator.next(
            new Fault.Refused(400, "unsupported", "Unsupported: " + name, Map.of()));
      }

      var thrown = catchThrowable(() -> service.ask(TASK));

      assertThat(thrown).isInstanceOf(ModelException.Rejected.class);
      assertThat(service.simulator.requests()).hasSize(2);
    }
  }
}
