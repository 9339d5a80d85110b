package mesh.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import mesh.inference.Message;
import mesh.inference.Reply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class ContextWindowTest {

  private static final String RESULT = "0123456789".repeat(10_000);

  /** Case 105: 60 calls with results of 100 KB in a small window. */
  @Test
  void whateverIsLeftOutAResultKeepsItsCall() {
    var window = new ContextWindow(20_000);
    window.add(new Message.Asked("the task"));

    for (int i = 1; i <= 60; i++) {
      window.add(turn(i, RESULT));
      assertWellFormed(window.messages());
      assertThat(characters(window.messages())).isLessThan(20_000 * 3);
    }

    assertThat(window.messages().getFirst()).isEqualTo(new Message.Asked("the task"));
    assertThat(window.messages())
        .anySatisfy(it ->
            assertThat(it)
                .isInstanceOfSatisfying(
                    Message.Asked.class,
                    asked -> assertThat(asked.text()).contains("earlier turns are left out")));
  }

  @Test
  void theNewestResultIsWholeWhereItFits() {
    var window = new ContextWindow(60_000);
    window.add(new Message.Asked("the task"));

    for (int i = 1; i <= 20; i++) {
      window.add(turn(i, RESULT.substring(0, 20_000)));
    }

    assertThat(last(window.messages()).text()).hasSize(20_000);
  }

  @Test
  void whatIsLeftOutOfAResultIsSaid() {
    var window = new ContextWindow(5_000);
    window.add(new Message.Asked("the task"));

    window.add(turn(1, RESULT));

    assertThat(last(window.messages()).text())
        .startsWith("0123456789")
        .endsWith("0123456789")
        .contains("characters left out here");
  }

  @Test
  void theSameMessagesGiveTheSameWindow() {
    var one = new ContextWindow(20_000);
    var other = new ContextWindow(20_000);
    for (var window : List.of(one, other)) {
      window.add(new Message.Asked("the task"));
      for (int i = 1; i <= 30; i++) {
        window.add(turn(i, RESULT.substring(0, 1000 * i)));
      }
    }

    assertThat(one.messages()).isEqualTo(other.messages());
  }

  /** So that what a service has cached stays valid for many turns. */
  @Test
  void roomIsMadeForManyTurnsAtOnce() {
    var window = new ContextWindow(20_000);
    window.add(new Message.Asked("the task"));
    int changes = 0;
    List<Message> before = window.messages();
    for (int i = 1; i <= 100; i++) {
      window.add(turn(i, RESULT.substring(0, 3_000)));
      var now = window.messages();
      if (!now.subList(0, before.size() > now.size() ? 0 : before.size()).equals(before)) {
        changes++;
      }
      before = now;
    }

    assertThat(changes).isLessThan(100 / 5);
  }

  private static Message[] turn(int number, String text) {
    var call =
        new Reply.Call("call-" + number, "workspace_exec", JsonNodeFactory.instance.objectNode());
    return new Message[] {
      new Message.Replied(Reply.of("", List.of(call), Reply.Stop.CALLS, Reply.Usage.NONE)),
      new Message.Results(
          List.of(
              new Message.Result(
                  "call-" + number,
                  "workspace_exec",
                  false,
                  JsonNodeFactory.instance.objectNode(),
                  text)))
    };
  }

  private static Message.Result last(List<Message> messages) {
    return ((Message.Results) messages.getLast()).results().getLast();
  }

  private static int characters(List<Message> messages) {
    return messages.stream()
        .mapToInt(message ->
            switch (message) {
              case Message.Asked(var text) -> text.length();
              case Message.Replied _ -> 0;
              case Message.Results(var results) ->
                  results.stream().mapToInt(it -> it.text().length()).sum();
            })
        .sum();
  }

  private static void assertWellFormed(List<Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i) instanceof Message.Replied(var reply) && !reply.calls().isEmpty()) {
        assertThat(messages.get(i + 1))
            .isInstanceOfSatisfying(
                Message.Results.class,
                results ->
                    assertThat(results.results())
                        .extracting(Message.Result::call)
                        .containsExactlyElementsOf(
                            reply.calls().stream().map(Reply.Call::id).toList()));
      }
      if (messages.get(i) instanceof Message.Results) {
        assertThat(messages.get(i - 1)).isInstanceOf(Message.Replied.class);
      }
    }
  }
}
