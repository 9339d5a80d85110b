package mesh.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import mesh.inference.Message.Result;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScriptedModelTest {

  private static final JsonMapper JSON = new JsonMapper();

  private final Model model =
      ScriptedModel.of(
          json(
              """
              {"kind":"scripted","summary":"all done",
               "steps":[{"text":"first","tool":"a","arguments":{"x":1}},
                        {"tool":"b","may_fail":true},{"tool":"c"}]}
              """));

  @Test
  void callsItsStepsInOrderWhateverComesBack() throws InterruptedException {
    var first = model.next(after());
    var second = model.next(after(exited(0)));

    assertThat(first.text()).isEqualTo("first");
    assertThat(first.calls()).containsExactly(new Reply.Call("call-1", "a", json("{\"x\":1}")));
    assertThat(first.stop()).isEqualTo(Reply.Stop.CALLS);
    assertThat(second.calls()).containsExactly(new Reply.Call("call-2", "b", json("{}")));
  }

  @Test
  void givesUpAtAFailedCommand() throws InterruptedException {
    var reply = model.next(after(exited(3)));

    assertThat(reply.stop()).isEqualTo(Reply.Stop.GAVE_UP);
    assertThat(reply.text()).contains("Step 1").contains("3");
  }

  @Test
  void givesUpAtARefusedCall() throws InterruptedException {
    var refused =
        new Result("call-1", "a", true, json("{\"error\":\"no such file\"}"), "no such file");

    assertThat(model.next(after(refused)).text()).contains("no such file");
  }

  @Test
  void goesOnWhereAFailureIsExpected() throws InterruptedException {
    assertThat(model.next(after(exited(0), exited(1))).stop()).isEqualTo(Reply.Stop.CALLS);
  }

  @Test
  void endsWithItsSummary() throws InterruptedException {
    assertThat(model.next(after(exited(0), exited(0), exited(0))))
        .isEqualTo(Reply.of("all done", List.of(), Reply.Stop.DONE, Reply.Usage.NONE));
  }

  @Test
  void aCommandEndedByASignalHasFailed() throws InterruptedException {
    var timedOut =
        new Result(
            "call-1", "a", false, json("{\"outcome\":\"timed_out\",\"exit_code\":null}"), "");

    assertThat(model.next(after(timedOut)).stop()).isEqualTo(Reply.Stop.GAVE_UP);
  }

  @Test
  void anUnknownKindSaysSo() {
    assertThatThrownBy(() -> ModelChoice.of(json("{\"kind\":\"oracle\"}")))
        .hasMessageContaining("oracle");
    assertThatThrownBy(() -> ModelChoice.of(json("{}"))).hasMessageContaining("external");
  }

  private static Prompt after(Result... results) {
    var messages = new ArrayList<Message>();
    messages.add(new Message.Asked("task"));
    for (var result : results) {
      messages.add(new Message.Results(List.of(result)));
    }
    return new Prompt("", messages, List.of());
  }

  private static Result exited(int code) {
    return new Result(
        "a", "a", false, json("{\"outcome\":\"exited\",\"exit_code\":" + code + "}"), "");
  }

  private static JsonNode json(String text) {
    return JSON.readTree(text);
  }
}
