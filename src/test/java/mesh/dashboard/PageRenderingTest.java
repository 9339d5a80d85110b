package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.SetUpPage;
import mesh.dashboard.view.StepView;
import mesh.run.Replayability;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.RunOutput;
import mesh.run.RunShare;
import mesh.run.RunStatus;
import mesh.run.RunUsage;
import mesh.run.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class PageRenderingTest {

  private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(ContentType.Html);
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final Instant START = Instant.parse("2026-03-01T14:00:00Z");
  private static final RunId RUN = new RunId(new UUID(1, 2));

  /** What programs, models and people may try to bring into a page. */
  private static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "<img src=x onerror=alert(1)>",
          "\" onmouseover=\"alert(1)",
          "' autofocus onfocus=alert(1) '",
          "</textarea></pre></title><script>alert(1)</script>",
          "javascript:alert(1)",
          "\u001b]8;;javascript:alert(1)\u0007click\u001b]8;;\u0007",
          "\u001b[31m<b>\u001b[0m",
          "\u202etxt.exe",
          "\u0000\u0007\u009b");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sign-in",
        "/sign-in-failed",
        "/setup",
        "/setup-errors",
        "/setup-closed",
        "/404",
        "/empty",
        "/refused",
        "/runs",
        "/run",
        "/run-ended",
        "/raw"
      })
  void everyPageIsOrderly(String path) {
    String html = Preview.html(path);

    assertThat(html).startsWith("<!doctype html>").contains("<html lang=\"en\"");
    assertThat(count(html, "<h1")).isEqualTo(1);
    assertThat(count(html, "<main")).isEqualTo(1);
    assertThat(html).doesNotContainPattern("\\sstyle=").doesNotContainPattern("\\son[a-z]+=");
    assertThat(html).doesNotContainPattern("<script(?![^>]*\\ssrc=)").doesNotContain("<style");
    assertThat(html).doesNotContain("href=\"http").doesNotContain("src=\"http");
    for (String id : labelled(html)) {
      assertThat(html).as("the field that a label names").contains("id=\"" + id + "\"");
    }
  }

  @Test
  void whatProgramsPrintStaysText() {
    for (String hostile : HOSTILE) {
      String html = rendered(step("workspace_exec", "{\"argv\":[%s]}", hostile, "stdout"));
      assertHarmless(html);
      assertHarmless(rendered(step("workspace_exec", "{\"script\":%s}", hostile, "stderr")));
      assertHarmless(rendered(step("workspace_read_file", "{\"path\":%s}", hostile, "content")));
      assertHarmless(rendered(step("some_tool", "{\"a\":%s}", hostile, "b")));
    }
  }

  @Test
  void whatModelsSayStaysText() {
    for (String hostile : HOSTILE) {
      Step said =
          new Step(
              RUN,
              1,
              Step.Kind.MODEL,
              null,
              null,
              Step.Status.FINISHED,
              null,
              JSON.createObjectNode().put("text", hostile),
              START,
              START,
              null,
              null);
      assertHarmless(rendered(StepViews.of(run("task"), said, RunOutput.Tail.NOTHING, START)));
    }
  }

  @Test
  void whatPeopleTypeStaysText() {
    for (String hostile : HOSTILE) {
      SetUpPage page =
          new SetUpPage(
              Samples.frame(), true, hostile, false, List.of(new FieldError("username", hostile)));
      StringOutput html = new StringOutput();
      ENGINE.render("setup.jte", page, html);
      assertThat(elements(html.toString())).isEqualTo(elements(plainSetUp()));
    }
  }

  @Test
  void outputThatLooksLikeATerminalsKeepsItsColours() {
    String html =
        rendered(
            step("workspace_exec", "{\"argv\":[%s]}", "\u001b[31mred\u001b[0m plain", "stdout"));

    assertThat(html).contains("<span class=\"f1\">red</span> plain");
  }

  @Test
  void aFinishedCommandTellsHowItEnded() {
    assertThat(rendered(ended("{\"outcome\":\"exited\",\"exit_code\":7}")))
        .contains("exit 7")
        .contains("mark bad");
    assertThat(rendered(ended("{\"outcome\":\"signalled\",\"signal\":9,\"exit_code\":137}")))
        .contains("signal 9");
    assertThat(rendered(ended("{\"outcome\":\"unknown\"}")))
        .contains("outcome unknown")
        .contains("mark attention");
    assertThat(rendered(ended("{\"outcome\":\"exited\",\"exit_code\":0,\"redactions\":2}")))
        .contains("exit 0")
        .contains("2 secrets were taken out.");
  }

  private static void assertHarmless(String html) {
    assertThat(html)
        .doesNotContainPattern("<(script|img|b)\\b")
        .doesNotContain("href=\"javascript");
    assertThat(html.codePoints())
        .noneMatch(it -> it == 0x202e || it == 0x1b || it == 0 || it == 7 || it == 0x9b);
    for (String tag : elements(html)) {
      assertThat(tag).doesNotContainPattern("\\son\\w+\\s*=");
    }
  }

  /** All tags, with quoted attribute values emptied. */
  private static List<String> elements(String html) {
    return Pattern.compile("<[a-z/][^<>\"]*(?:\"[^\"]*\"[^<>\"]*)*>")
        .matcher(html)
        .results()
        .map(tag -> tag.group().replaceAll("\"[^\"]*\"", "\"\""))
        .toList();
  }

  private static String plainSetUp() {
    StringOutput html = new StringOutput();
    ENGINE.render(
        "setup.jte",
        new SetUpPage(
            Samples.frame(), true, "t", false, List.of(new FieldError("username", "wrong"))),
        html);
    return html.toString();
  }

  private static List<String> labelled(String html) {
    return Pattern.compile("<label for=\"([^\"]+)\"")
        .matcher(html)
        .results()
        .map(it -> it.group(1))
        .toList();
  }

  private static int count(String html, String what) {
    return html.split(Pattern.quote(what), -1).length - 1;
  }

  private static StepView step(String tool, String input, String text, String field) {
    String quoted = JSON.writeValueAsString(text);
    Step step =
        new Step(
            RUN,
            1,
            Step.Kind.TOOL,
            tool,
            Replayability.EFFECTFUL,
            Step.Status.FINISHED,
            JSON.readTree(input.formatted(quoted)),
            JSON.createObjectNode().put("outcome", "exited").put("exit_code", 0).put(field, text),
            START,
            START.plusMillis(12),
            null,
            null);
    return StepViews.of(run("task"), step, RunOutput.Tail.NOTHING, START);
  }

  private static StepView ended(String output) {
    return StepViews.of(
        run("task"),
        new Step(
            RUN,
            1,
            Step.Kind.TOOL,
            "workspace_exec",
            Replayability.EFFECTFUL,
            Step.Status.FINISHED,
            JSON.readTree("{\"argv\":[\"true\"]}"),
            JSON.readTree(output),
            START,
            START.plusMillis(12),
            null,
            null),
        RunOutput.Tail.NOTHING,
        START);
  }

  private static Run run(String task) {
    return new Run(
        RUN,
        new AgentId(new UUID(3, 4)),
        "builder",
        RunStatus.RUNNING,
        null,
        RunMode.HARNESS,
        task,
        null,
        null,
        null,
        null,
        ActorId.SYSTEM,
        "mesh",
        null,
        START,
        START,
        null,
        Duration.ZERO,
        RunUsage.NONE,
        new RunShare(null, null, 0, 0));
  }

  private static String rendered(StepView step) {
    StringOutput html = new StringOutput();
    ENGINE.render("part/step.jte", step, html);
    return html.toString();
  }
}
