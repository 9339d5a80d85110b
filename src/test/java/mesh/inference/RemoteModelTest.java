package mesh.inference;

import static mesh.inference.SimulatedService.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import mesh.Await;
import mesh.Canaries;
import mesh.inference.Connection.Wire;
import mesh.inference.Message.Asked;
import mesh.inference.Message.Replied;
import mesh.inference.Message.Result;
import mesh.inference.Message.Results;
import mesh.inference.ModelException.Rejected;
import mesh.inference.ModelException.TooLong;
import mesh.inference.ModelException.Unavailable;
import mesh.inference.ModelException.Unexpected;
import mesh.inference.Reply.Stop;
import mesh.inference.Reply.Usage;
import mesh.secret.Secret;
import mesh.simulator.model.Fault;
import mesh.simulator.model.ModelReply;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelReply.End;
import mesh.simulator.model.ModelReply.Text;
import mesh.simulator.model.ModelReply.Tokens;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for both protocols, over real HTTP. */
class RemoteModelTest {

  private static final Message TASK = new Asked("Count the files.");

  private static Fault.Refused refused(int status, String code, String message) {
    return new Fault.Refused(status, code, message, Map.of());
  }

  @ParameterizedTest
  @EnumSource
  void aConversationWithCallsIsAsTheServiceDemands(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.script(request ->
          request.rounds() == 0
              ? ModelReply.calls(
                  new Text("I look.\n "),
                  new Call("call_number_1", "read", "{\"path\":\"a\",\"deep\":{\"x\":[1]}}"),
                  new Call("call_number_2", "files_list_all", ""))
              : ModelReply.says("Two."));

      var first = service.ask(TASK, new Asked("  "), new Asked("Soon."));
      var second =
          service.ask(
              TASK,
              new Asked("Soon."),
              new Replied(first),
              new Results(
                  List.of(
                      new Result("call_number_1", "read", false, json("{}"), ""),
                      new Result("call_number_2", "files.list/all", true, json("{}"), "no"))),
              new Asked("Well?"));

      assertThat(first.text()).isEqualTo("I look.\n ");
      assertThat(first.stop()).isEqualTo(Stop.CALLS);
      assertThat(first.calls())
          .containsExactly(
              new Reply.Call(
                  "call_number_1", "read", json("{\"path\":\"a\",\"deep\":{\"x\":[1]}}")),
              new Reply.Call("call_number_2", "files.list/all", json("{}")));
      assertThat(second.text()).isEqualTo("Two.");
      assertThat(second.stop()).isEqualTo(Stop.DONE);
      assertThat(service.simulator.broken()).isEmpty();
      assertThat(service.simulator.requests())
          .hasSize(2)
          .allSatisfy(request -> assertThat(request.key()).isEqualTo(service.key));
      var sent = service.simulator.requests().getLast().body().toString();
      assertThat(sent).contains("You are careful.", "(no output)", "Well?", "deep");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatNoServiceTakesIsNotSent(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      var odd =
          Reply.of(
              "",
              List.of(
                  new Reply.Call("call_number_1", "read", json("\"no object\"")),
                  new Reply.Call("call_number_2", "read", json("[1]"))),
              Stop.CALLS,
              Usage.NONE);

      service.ask(
          new Replied(Reply.of("Before anybody asked. ", List.of(), Stop.DONE, Usage.NONE)),
          new Replied(Reply.of(" ", List.of(), Stop.GAVE_UP, Usage.NONE)),
          new Replied(odd),
          new Results(
              List.of(
                  new Result("call_number_2", "read", false, json("{}"), "half a pair: \ud83d"),
                  new Result("of nobody", "read", false, json("{}"), "x"))),
          new Replied(Reply.of("Said.\n", List.of(), Stop.LENGTH, Usage.NONE)));

      assertThat(service.simulator.broken()).isEmpty();
      var sent = service.simulator.requests().getFirst().body().toString();
      assertThat(sent).contains("not known", "half a pair: \ufffd").doesNotContain("of nobody");
    }
  }

  @ParameterizedTest
  @EnumSource
  void argumentsAndIdsComeOutUsableWhateverTheModelMakesOfThem(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.script(_ ->
          ModelReply.calls(
              new Call("", "read", "{\"path\":"),
              new Call("call_number_1", "read", "x".repeat(5_000)),
              new Call("call_number_1", "read", "\"{\\\"path\\\":\\\"twice\\\"}\""),
              new Call("call_number_2", "none", "{\"path\":\"\\u0000\"}")));

      var calls = service.ask(TASK).calls();

      assertThat(calls).extracting(Reply.Call::id).doesNotHaveDuplicates().doesNotContain("");
      assertThat(calls.get(0).arguments()).isEqualTo(json("\"{\\\"path\\\":\""));
      assertThat(calls.get(1).arguments().asString()).hasSize(2_000);
      assertThat(calls.get(2).arguments()).isEqualTo(json("{\"path\":\"twice\"}"));
      assertThat(calls.get(3).arguments()).isEqualTo(json("{\"path\":\"\ufffd\"}"));
      assertThat(calls.get(3).tool()).isEqualTo("none");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEndIsToldByItsReason(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.script(_ -> ModelReply.says("I would").ends(End.LENGTH));
      assertThat(service.ask(TASK).stop()).isEqualTo(Stop.LENGTH);

      service.simulator.script(_ ->
          ModelReply.calls(
                  new Call("call_number_1", "read", "{}"),
                  new Call("call_number_2", "read", "{\"path\":\"a"))
              .ends(End.LENGTH));
      var cut = service.ask(TASK);
      assertThat(cut.stop()).isEqualTo(Stop.LENGTH);
      assertThat(cut.calls()).extracting(Reply.Call::id).containsExactly("call_number_1");

      service.simulator.script(_ -> ModelReply.says("I will not.").ends(End.REFUSED));
      var refused = service.ask(TASK);
      assertThat(refused.stop()).isEqualTo(Stop.GAVE_UP);
      assertThat(refused.text()).isEqualTo("I will not.");

      service.simulator.script(
          _ -> ModelReply.calls(new Call("call_number_1", "read", "{}")).ends(End.DONE));
      assertThat(service.ask(TASK).stop()).isEqualTo(Stop.CALLS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tokensAreCountedAndPriced(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.script(_ -> ModelReply.says("x").took(new Tokens(1_000, 200, 3_000, 50)));

      // 1,200 at 3.00, 3,000 at 0.30, 50 at 15.00 for a million each.
      assertThat(service.ask(TASK).usage()).isEqualTo(new Usage(4_200, 3_000, 50, 5_250));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatPassesIsAskedAgainWithGrowingPauses(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      for (var fault :
          List.of(
              refused(429, "rate_limit_error", "slow down"),
              refused(529, "overloaded_error", "Overloaded"),
              refused(500, "api_error", "oops"))) {
        service.simulator.next(fault);
      }

      assertThat(service.ask(TASK).text()).isEqualTo("Done.");
      assertThat(service.simulator.requests()).hasSize(4);
      assertThat(service.pauses).hasSize(3);
      for (int i = 0; i < 3; i++) {
        assertThat(service.pauses.get(i))
            .isBetween(Duration.ofMillis(500L << i), Duration.ofMillis(1000L << i));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void brokenStreamsAreAskedForAgain(Wire wire) throws Exception {
    for (var fault :
        List.of(
            new Fault.Cut(0),
            new Fault.Cut(150),
            new Fault.Ended(1),
            new Fault.Dropped(),
            new Fault.BrokenStream("overloaded_error", "Overloaded"))) {
      try (var service = new SimulatedService(wire)) {
        service.simulator.next(fault);

        assertThat(service.ask(TASK).text()).as(fault.toString()).isEqualTo("Done.");
        assertThat(service.pauses).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServiceIsGivenTheTimeItAsksForButNoMore(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.next(
          new Fault.Refused(429, "rate_limit_error", "slow", Map.of("retry-after", "7")));
      service.simulator.next(
          new Fault.Refused(429, "rate_limit_error", "slow", Map.of("retry-after-ms", "9500")));
      service.simulator.next(
          new Fault.Refused(529, "overloaded_error", "slow", Map.of("retry-after", "86400")));

      service.ask(TASK);

      assertThat(service.pauses)
          .containsExactly(Duration.ofSeconds(7), Duration.ofMillis(9_500), Duration.ofSeconds(60));
    }
  }

  @ParameterizedTest
  @EnumSource
  void patienceEnds(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      for (int i = 0; i < 9; i++) {
        service.simulator.next(refused(529, "overloaded_error", "Overloaded"));
      }

      assertThatThrownBy(() -> service.ask(TASK))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("529")
          .hasMessageContaining("4 attempts")
          .hasMessageContaining("Overloaded");
      assertThat(service.simulator.requests()).hasSize(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSilentStreamIsGivenUp(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire, Duration.ofMillis(300))) {
      service.simulator.next(new Fault.Silent());

      assertThat(service.ask(TASK).text()).isEqualTo("Done.");
      Await.until(Duration.ofSeconds(5), service.simulator::abandoned, count -> count == 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSlowStreamIsNot(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire, Duration.ofSeconds(1))) {
      service.simulator.script(_ -> ModelReply.says("abcdefg".repeat(10)));
      service.simulator.next(new Fault.Slow(Duration.ofMillis(120)));

      assertThat(service.ask(TASK).text()).hasSize(70);
      assertThat(service.pauses).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptEndsTheRequest(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.next(new Fault.Silent());
      var thrown = new ConcurrentHashMap<String, Throwable>();
      var asking =
          Thread.ofPlatform()
              .start(() -> thrown.put("by", catchThrowable(() -> service.ask(TASK))));
      Await.until(
          Duration.ofSeconds(10), () -> service.simulator.requests().size(), count -> count == 1);

      asking.interrupt();

      Await.until(Duration.ofSeconds(2), service.simulator::abandoned, count -> count == 1);
      asking.join();
      assertThat(thrown.get("by")).isInstanceOf(InterruptedException.class);
      assertThat(service.simulator.requests()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPromptThatIsTooLongIsToldApart(Wire wire) throws Exception {
    var sayings =
        wire == Wire.ANTHROPIC
            ? List.of(
                refused(
                    400,
                    "invalid_request_error",
                    "prompt is too long: 208310 tokens > 200000 maximum"),
                refused(
                    400,
                    "invalid_request_error",
                    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
                refused(413, "request_too_large", "Request exceeds the maximum size"))
            : List.of(
                refused(
                    400,
                    "context_length_exceeded",
                    "This model's maximum context length is 8192 tokens."),
                refused(
                    400,
                    "exceed_context_size_error",
                    "the request exceeds the available context size"),
                refused(
                    429,
                    "rate_limit_exceeded",
                    "Request too large for gpt-x on tokens per min (TPM)"));
    for (var saying : sayings) {
      try (var service = new SimulatedService(wire)) {
        service.simulator.next(saying);

        assertThatThrownBy(() -> service.ask(TASK))
            .as(saying.message())
            .isInstanceOf(TooLong.class);
        assertThat(service.simulator.requests()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAnOperatorMustMendIsSaidOnceAndWithoutTheKey(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      var echo = "the key " + service.key + " is bad";
      var expected =
          Map.<Fault, String>of(
              refused(401, "authentication_error", echo),
              "does not accept its key",
              refused(403, "permission_error", echo),
              "does not let its key use 'm-1'",
              refused(404, "not_found_error", "model: m-1"),
              "knows no model 'm-1'",
              refused(402, "billing_error", "pay"),
              "no credit",
              refused(429, "insufficient_quota", "You exceeded your current quota"),
              "no credit",
              refused(400, "invalid_request_error", "temperature " + echo),
              "[secret]",
              new Fault.Redirected("http://127.0.0.1:1/elsewhere"),
              "leads elsewhere");
      for (var entry : expected.entrySet()) {
        service.simulator.next(entry.getKey());

        var thrown = catchThrowable(() -> service.ask(TASK));

        assertThat(thrown).isInstanceOf(Rejected.class).hasMessageContaining(entry.getValue());
        assertThat(Canaries.in(trace(thrown))).isEmpty();
      }
      assertThat(service.pauses).isEmpty();
      assertThat(Canaries.in(service.connection.toString())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noExceptionHoldsAKeyThatTheServiceRepeats(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      for (int i = 0; i < 4; i++) {
        service.simulator.next(refused(503, "api_error", "your " + service.key));
      }
      var unavailable = catchThrowable(() -> service.ask(TASK));
      service.simulator.next(
          new Fault.Other(
              "text/event-stream", "event: message_start\ndata: {\"" + service.key + "\n\n"));
      var unexpected = catchThrowable(() -> service.ask(TASK));

      assertThat(unavailable).isInstanceOf(Unavailable.class);
      assertThat(Canaries.in(trace(unavailable))).isEmpty();
      assertThat(Canaries.in(trace(unexpected))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherProtocolIsSaidToBeOne(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.next(new Fault.Other("text/html", "<html>Log in</html>"));
      assertThatThrownBy(() -> service.ask(TASK))
          .isInstanceOf(Unexpected.class)
          .hasMessageContaining("text/html")
          .hasMessageContaining("base URL");

      var line = "event: content_block_delta\ndata: {\"type\":\"content_blo\n\n";
      service.simulator.next(new Fault.Other("text/event-stream", line));
      assertThatThrownBy(() -> service.ask(TASK)).isInstanceOf(Unexpected.class);

      service.simulator.next(new Fault.Other("text/event-stream", "data: " + "x".repeat(5 << 20)));
      assertThatThrownBy(() -> service.ask(TASK))
          .isInstanceOf(Unexpected.class)
          .hasMessageContaining("more than any reply has");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServiceThatIsNotThereIsUnavailable(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      service.simulator.close();

      assertThatThrownBy(() -> service.ask(TASK))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("refuses connections");
      assertThat(service.pauses).hasSize(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsSentUnencryptedUnlessThatWasAllowed(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      var open = connection(service, service.connection.baseUrl(), false, service.key);

      var trial = service.models.trial(open, "m-1");

      assertThat(trial.replied()).isFalse();
      assertThat(trial.sentence()).contains("'main' is not used").contains("https://");
      assertThat(service.simulator.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatFitsInNoHeaderIsNotShown(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      var broken = connection(service, service.connection.baseUrl(), true, service.key + "\nx");

      var trial = service.models.trial(broken, "m-1");

      assertThat(trial.replied()).isFalse();
      assertThat(trial.sentence()).contains("enter it again");
      assertThat(Canaries.in(trial.toString())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTrialSaysWhatItTookOrTheFirstTrouble(Wire wire) throws Exception {
    try (var service = new SimulatedService(wire)) {
      var fine = service.models.trial(service.connection, "m-1");
      service.simulator.next(refused(529, "overloaded_error", "Overloaded"));
      var busy = service.models.trial(service.connection, "m-1");

      assertThat(fine.replied()).isTrue();
      assertThat(fine.usage().input()).isEqualTo(20);
      assertThat(fine.took()).isPositive();
      assertThat(busy.replied()).isFalse();
      assertThat(busy.sentence()).contains("529").contains("1 attempt");
      assertThat(service.simulator.requests()).hasSize(2);
      assertThat(service.simulator.broken()).isEmpty();
    }
  }

  private static Connection connection(
      SimulatedService service, URI url, boolean allowPrivate, String key) {
    var own = service.connection;
    return new Connection(own.name(), own.wire(), url, allowPrivate, Secret.of(key), own.prices());
  }

  private static String trace(Throwable thrown) {
    var text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
