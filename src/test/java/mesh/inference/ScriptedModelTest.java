package mesh.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import mesh.inference.Transcript.PastCall;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ScriptedModelTest {

  private static final JsonMapper JSON = new JsonMapper();

  private final Model model =
      new Models()
          .of(
              json(
                  """
                  {"kind":"scripted","summary":"all done",
                   "steps":[{"text":"first","tool":"a","arguments":{"x":1}},
                            {"tool":"b","may_fail":true},{"tool":"c"}]}
                  """));

  @Test
  void callsItsStepsInOrderWhateverComesBack() throws InterruptedException {
    assertThat(model.next(after())).isEqualTo(new Turn.Call("first", "a", json("{\"x\":1}")));
    assertThat(model.next(after(exited(0)))).isEqualTo(new Turn.Call("", "b", json("{}")));
  }

  @Test
  void givesUpAtAFailedCommand() throws InterruptedException {
    assertThat(model.next(after(exited(3))))
        .isInstanceOfSatisfying(
            Turn.Done.class,
            done -> {
              assertThat(done.succeeded()).isFalse();
              assertThat(done.text()).contains("Step 1").contains("3");
            });
  }

  @Test
  void givesUpAtARefusedCall() throws InterruptedException {
    var refused = new PastCall("a", json("{}"), false, json("{\"error\":\"no such file\"}"));

    assertThat(model.next(after(refused)))
        .isInstanceOfSatisfying(
            Turn.Done.class, done -> assertThat(done.text()).contains("no such file"));
  }

  @Test
  void goesOnWhereAFailureIsExpected() throws InterruptedException {
    assertThat(model.next(after(exited(0), exited(1)))).isInstanceOf(Turn.Call.class);
  }

  @Test
  void endsWithItsSummary() throws InterruptedException {
    assertThat(model.next(after(exited(0), exited(0), exited(0))))
        .isEqualTo(new Turn.Done(true, "all done"));
  }

  @Test
  void aCommandEndedByASignalHasFailed() throws InterruptedException {
    var timedOut =
        new PastCall("a", json("{}"), true, json("{\"outcome\":\"timed_out\",\"exit_code\":null}"));

    assertThat(model.next(after(timedOut))).isInstanceOf(Turn.Done.class);
  }

  @Test
  void anUnknownKindSaysSo() {
    assertThatThrownBy(() -> new Models().of(json("{\"kind\":\"oracle\"}")))
        .hasMessageContaining("oracle");
    assertThatThrownBy(() -> new Models().of(json("{}"))).hasMessageContaining("external");
  }

  private static Transcript after(PastCall... calls) {
    return new Transcript("task", List.of(calls));
  }

  private static PastCall exited(int code) {
    return new PastCall(
        "a", json("{}"), true, json("{\"outcome\":\"exited\",\"exit_code\":" + code + "}"));
  }

  private static JsonNode json(String text) {
    return JSON.readTree(text);
  }
}
