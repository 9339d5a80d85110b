package mesh.harness;

import static org.assertj.core.api.Assertions.assertThat;

import mesh.inference.Message;
import mesh.inference.Reply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Cases 104 and 116. */
class RepeatsTest {

  private static final JsonMapper JSON = new JsonMapper();

  private final Repeats repeats = new Repeats();

  @Test
  void honestPollingIsNoRepeat() {
    for (int i = 0; i < 30; i++) {
      exec("date", 0, "Mon Nov 30");
    }

    assertThat(repeats.times()).isZero();
  }

  @Test
  void differentCallsWithTheSameFailureAreNone() {
    exec("make a", 2, "no rule");
    exec("make b", 2, "no rule");
    exec("make c", 2, "no rule");

    assertThat(repeats.times()).isEqualTo(1);
  }

  @Test
  void aFailureThatChangesIsNone() {
    for (int i = 0; i < 30; i++) {
      exec("make", 2, i + " errors");
    }

    assertThat(repeats.times()).isEqualTo(1);
  }

  @Test
  void theSameFailureIsCountedWhateverTimeItTook() {
    for (int i = 0; i < Repeats.MOST; i++) {
      exec("make", 2, "no rule");
    }

    assertThat(repeats.times()).isEqualTo(Repeats.MOST);
  }

  @Test
  void aSuccessBreaksTheRow() {
    exec("make", 2, "no rule");
    exec("make", 0, "done");
    exec("make", 2, "no rule");

    assertThat(repeats.times()).isEqualTo(1);
  }

  @Test
  void aRefusedCallIsCounted() {
    for (int i = 0; i < 3; i++) {
      repeats.add(
          new Reply.Call("c" + i, "workspace_exec", JSON.readTree("\"not json\"")),
          new Message.Result(
              "c" + i,
              "workspace_exec",
              true,
              JSON.readTree("{\"error\":\"The arguments must be a JSON object.\"}"),
              ""));
    }

    assertThat(repeats.times()).isEqualTo(3);
  }

  private int calls;

  private void exec(String script, int code, String out) {
    calls++;
    var arguments = JSON.createObjectNode().put("script", script);
    var output =
        JSON.createObjectNode()
            .put("outcome", "exited")
            .put("exit_code", code)
            .put("stdout", out)
            .put("duration_ms", calls);
    repeats.add(
        new Reply.Call("call-" + calls, "workspace_exec", arguments),
        new Message.Result("call-" + calls, "workspace_exec", false, output, ""));
  }
}
