package mesh.inference;

import static mesh.inference.SimulatedService.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import mesh.inference.Connection.Wire;
import mesh.inference.Message.Asked;
import mesh.inference.Message.Replied;
import mesh.inference.Message.Result;
import mesh.inference.Message.Results;
import mesh.inference.Reply.Stop;
import mesh.simulator.model.ModelReply;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelReply.End;
import mesh.simulator.model.ModelReply.HiddenThought;
import mesh.simulator.model.ModelReply.Text;
import mesh.simulator.model.ModelReply.Thought;
import org.junit.jupiter.api.Test;

/** What Anthropic's protocol has alone. */
class AnthropicModelTest {

  private static final Message TASK = new Asked("Count the files.");
  private static final Message RESULT =
      new Results(List.of(new Result("call_number_1", "read", false, json("{}"), "fine")));

  private static Reply thoughtful(SimulatedService service) throws InterruptedException {
    service.simulator.script(request ->
        request.rounds() == 0
            ? ModelReply.calls(
                new Thought("Let me see.", "signed/+="),
                new Text("I look."),
                new HiddenThought("sealed/+="),
                new Call("call_number_1", "read", "{}"))
            : ModelReply.says("Done."));
    return service.ask(TASK);
  }

  @Test
  void thoughtsComeBackUnchangedInTheirPlaces() throws Exception {
    try (var service = new SimulatedService(Wire.ANTHROPIC)) {
      var reply = thoughtful(service);

      service.ask(TASK, new Replied(reply), RESULT);

      assertThat(service.simulator.requests().getLast().body().at("/messages/1/content"))
          .isEqualTo(
              json(
                  """
                  [{"type":"thinking","thinking":"Let me see.","signature":"signed/+="},
                   {"type":"text","text":"I look."},
                   {"type":"redacted_thinking","data":"sealed/+="},
                   {"type":"tool_use","id":"call_number_1","name":"read","input":{}}]
                  """));
      assertThat(service.simulator.broken()).isEmpty();
    }
  }

  @Test
  void thoughtsOfAnotherModelStayBehind() throws Exception {
    try (var service = new SimulatedService(Wire.ANTHROPIC)) {
      var reply = thoughtful(service);
      var other = service.models.of(json("{\"connection\":\"main\",\"model\":\"m-2\"}"));

      other.next(SimulatedService.prompt(TASK, new Replied(reply), RESULT));

      var sent = service.simulator.requests().getLast().body().toString();
      assertThat(sent).contains("I look.").doesNotContain("signed", "sealed");
      assertThat(service.simulator.broken()).isEmpty();
    }
  }

  @Test
  void aReplyThatWasChangedSinceIsSentAsItIsNow() throws Exception {
    try (var service = new SimulatedService(Wire.ANTHROPIC)) {
      var reply = thoughtful(service);
      var changed = new Reply("Hidden.", reply.calls(), reply.stop(), reply.usage(), reply.kept());

      service.ask(TASK, new Replied(changed), RESULT);

      var sent = service.simulator.requests().getLast().body().toString();
      assertThat(sent).contains("Hidden.", "signed/+=").doesNotContain("I look.");
      assertThat(service.simulator.broken()).isEmpty();
    }
  }

  @Test
  void whatDoesNotChangeIsMarkedForTheCache() throws Exception {
    try (var service = new SimulatedService(Wire.ANTHROPIC)) {
      var reply = thoughtful(service);

      service.ask(TASK, new Replied(reply), RESULT, new Asked("Well?"));

      var body = service.simulator.requests().getLast().body();
      var mark = json("{\"type\":\"ephemeral\"}");
      assertThat(body.at("/system/0/cache_control")).isEqualTo(mark);
      assertThat(body.at("/tools/1/cache_control")).isEqualTo(mark);
      assertThat(body.at("/messages/0/content/0/cache_control")).isEqualTo(mark);
      assertThat(body.at("/messages/2/content/1/cache_control")).isEqualTo(mark);
      assertThat(body.findValues("cache_control")).hasSize(4);
    }
  }

  @Test
  void aPauseIsGoneOnFrom() throws Exception {
    try (var service = new SimulatedService(Wire.ANTHROPIC)) {
      service.simulator.script(_ -> ModelReply.says("So far.").ends(End.PAUSED));

      var reply = service.ask(TASK);
      service.ask(TASK, new Replied(reply));

      assertThat(reply.stop()).isEqualTo(Stop.LENGTH);
      assertThat(service.simulator.broken()).isEmpty();
    }
  }
}
