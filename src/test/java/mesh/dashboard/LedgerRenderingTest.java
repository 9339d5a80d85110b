package mesh.dashboard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import mesh.activity.Recorded;
import mesh.dashboard.view.ActivityPage;
import mesh.dashboard.view.ActivityPage.Change;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerRenderingTest {

  private static final TemplateEngine ENGINE = TemplateEngine.createPrecompiled(ContentType.Html);
  private static final Pattern ELEMENT = Pattern.compile("<[a-z/][^<>\"]*(?:\"[^\"]*\"[^<>\"]*)*>");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "\" onmouseover=\"alert(1)",
        "' autofocus onfocus=alert(1) '",
        "</textarea></pre></title></option><script>alert(1)</script>",
        "javascript:alert(1)"
      })
  void whateverANameIsItStaysText(String hostile) {
    for (boolean mayChange : List.of(true, false)) {
      Map<String, Object> plain = LedgerSamples.pages("plain", mayChange);
      LedgerSamples.pages(hostile, mayChange)
          .forEach((template, page) ->
              assertThat(elements(html(template, page)))
                  .as(template)
                  .isEqualTo(elements(html(template, requireNonNull(plain.get(template))))));
    }
  }

  @Test
  void everyPageIsOrderly() {
    LedgerSamples.pages("plain", true)
        .forEach((template, page) -> {
          String html = html(template, page);
          assertThat(html).as(template).startsWith("<!doctype html>");
          assertThat(all("<h1", html)).as(template).hasSize(1);
          assertThat(all("<main", html)).as(template).hasSize(1);
          assertThat(html).doesNotContainPattern("\\sstyle=").doesNotContainPattern("\\son[a-z]+=");
          assertThat(html).doesNotContainPattern("<script(?![^>]*\\ssrc=)");
          assertThat(all("href=\"(http[^\"]*)\"", html))
              .as("links that leave Mesh")
              .allMatch(it -> it.group(1).equals("https://github.com/settings/tokens"));
          for (MatchResult label : all("<label for=\"([^\"]+)\"", html)) {
            assertThat(html).as(template).contains(" id=\"" + label.group(1) + "\"");
          }
          for (MatchResult described : all("aria-describedby=\"([^\"]+)\"", html)) {
            for (String id : described.group(1).split(" ")) {
              assertThat(html).as(template).contains(" id=\"" + id + "\"");
            }
          }
          assertThat(all("\\sid=\"([^\"]+)\"", html).stream().map(it -> it.group(1)))
              .as("ids of " + template)
              .filteredOn(it -> !it.contains("plain") && !it.startsWith("run-"))
              .doesNotHaveDuplicates();
        });
  }

  @Test
  void everyFormThatChangesCarriesItsToken() {
    LedgerSamples.pages("plain", true)
        .forEach((template, page) -> {
          String html = html(template, page);
          for (MatchResult form : all("(?s)<form method=\"post\".*?</form>", html)) {
            assertThat(form.group()).as(template).contains("name=\"_csrf\"");
          }
        });
  }

  @Test
  void secretsAreAskedForInFieldsThatForget() {
    String html = html("agent", requireNonNull(LedgerSamples.pages("plain", true).get("agent")));

    assertThat(all("<input[^>]*type=\"password\"[^>]*>", html))
        .hasSize(2)
        .allMatch(it -> it.group().contains("autocomplete=\"off\""))
        .allMatch(it ->
            it.group().contains("name=\"github-token\"")
                || it.group().contains("name=\"gitlab-token\""))
        .allMatch(it -> it.group().contains("value=\"\""));
  }

  @Test
  void whoMayNotChangeAnythingSeesNoForm() {
    LedgerSamples.pages("plain", false)
        .forEach((template, page) ->
            assertThat(all("<form method=\"post\" action=\"([^\"]*)\"", html(template, page)))
                .as(template)
                .allMatch(it -> List.of("/account/theme", "/sign-out").contains(it.group(1))));
  }

  @Test
  void onlyWhatDiffersIsShown() {
    assertThat(
            Differences.of(
                "{\"a\":1,\"b\":{\"c\":true,\"d\":\"x\"},\"gone\":[1,2]}",
                "{\"a\":1,\"b\":{\"c\":false,\"d\":\"x\"},\"new\":\"\"}"))
        .containsExactly(
            new Change("b.c", "true", "false"),
            new Change("gone", "[1,2]", ""),
            new Change("new", "", "\"\""));
    assertThat(Differences.of(null, null)).isEmpty();
    assertThat(Differences.of(null, "7")).containsExactly(new Change("", "", "7"));
  }

  @Test
  void whatHidesInARecordedValueIsSeen() {
    ActivityPage.Line line =
        ActivityViews.line(
            new Recorded(
                1,
                Samples.NOW,
                "eve\u202e",
                new UUID(1, 2),
                "agent.created",
                null,
                null,
                "\u001b[2J",
                null,
                "{\"name\":\"a\\u0000b\",\"long\":\"" + "😀".repeat(300) + "\"}"),
            Samples.NOW);

    assertThat(line.actor()).isEqualTo("eve\\u202e");
    assertThat(line.connection()).isEqualTo("\\x1b[2J");
    assertThat(line.changes().getFirst().after()).isEqualTo("a\\x00b");
    assertThat(line.changes().getLast().after()).endsWith("😀…").hasSizeLessThan(400);
    assertThat(Differences.of(null, '"' + "😀".repeat(100) + '"'))
        .containsExactly(new Change("", "", "😀".repeat(100)));
  }

  private static List<String> elements(String html) {
    return all(ELEMENT.pattern(), html).stream()
        .map(tag -> tag.group().replaceAll("\"[^\"]*\"", "\"\""))
        .toList();
  }

  private static List<MatchResult> all(String pattern, String html) {
    return Pattern.compile(pattern).matcher(html).results().toList();
  }

  private static String html(String template, Object page) {
    StringOutput html = new StringOutput();
    ENGINE.render(template + ".jte", page, html);
    return html.toString();
  }
}
