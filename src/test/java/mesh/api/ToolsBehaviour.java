package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/**
 * What the tools beyond commands and whole files promise, over HTTP, whatever the runtime. All
 * tests of a runtime share one run, each in a directory of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ToolsBehaviour {

  private final String secret = Canaries.fresh("tok_");
  private Client agent = new Client("", "");
  private String run = "";

  abstract TestMesh mesh();

  @BeforeEach
  void startRun() {
    if (!run.isEmpty()) {
      return;
    }
    var admin = mesh().admin();
    admin.put("/api/agents/builder/vault/key", "{\"value\":\"%s\"}".formatted(secret)).ok();
    begin();
  }

  private void begin() {
    var created =
        mesh().admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    run = created.get("id").asString();
    agent = mesh().with(created.get("token").asString());
    agent.exec("true");
  }

  @Test
  void aProcessEndsWithItsRun() {
    begin();
    // The simulators' sandboxes are processes of this machine, under other numbers.
    var unique = "8" + System.nanoTime();
    start("exec sleep " + unique);
    assertThat(runs(unique)).isTrue();

    agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}").ok();

    run = "";
    Await.until(Duration.ofSeconds(30), () -> runs(unique), still -> !still);
  }

  private static boolean runs(String argument) {
    return ProcessHandle.allProcesses()
        .anyMatch(process ->
            process
                .info()
                .commandLine()
                .filter(it -> it.endsWith("sleep " + argument))
                .isPresent());
  }

  @Nested
  class Editing {

    /** cases 65 and 66 */
    @Test
    void whatIsNotReplacedStaysAsItIs() {
      script(
          "mkdir -p edit; printf '\\357\\273\\277a\\r\\nb \\t\\r\\nlast' > edit/f; chmod 751 edit/f");

      var edited = edit("edit/f", "b \\t", "Bé").ok();

      assertThat(edited.get("replacements").asInt()).isOne();
      assertThat(edited.get("changes").get(0).get("text").asString()).contains("Bé\r\nlast");
      assertThat(script("od -An -tx1 edit/f | tr -d ' \\n'; stat -c ' %a' edit/f"))
          .isEqualTo("efbbbf610d0a42c3a90d0a6c617374 751\n");
    }

    @Test
    void aTextThatIsNotThereIsRefusedWithAHint() {
      script(
          "mkdir -p edit; printf 'one\\r\\ntwo\\r\\n  three\\n' > edit/g; cp edit/g edit/g.before");

      var ends = edit("edit/g", "one\\ntwo", "x");
      var blanks = edit("edit/g", "\\tthree", "x");
      var other = edit("edit/g", "four", "x");

      assertThat(List.of(ends.code(), blanks.code(), other.code())).containsOnly("edit_not_found");
      assertThat(ends.json().get("detail").asString()).contains("Only the line ends differ");
      assertThat(blanks.json().get("detail").asString()).contains("Only white space differs");
      assertThat(ends.json().get("pointer").asString()).isEqualTo("/old_text");
      assertThat(script("cmp edit/g edit/g.before && echo same")).isEqualTo("same\n");
    }

    @Test
    void aTextThatIsThereMoreOftenIsRefusedWithItsLines() {
      script("mkdir -p edit; printf 'x\\ny\\nx\\nx\\n' > edit/h");

      var refused = edit("edit/h", "x", "z");
      var meant =
          agent.tool(
              "workspace_edit_file",
              "{\"path\":\"edit/h\",\"old_text\":\"x\",\"new_text\":\"z\",\"expected_replacements\":3}");

      assertThat(refused.code()).isEqualTo("edit_not_unique");
      assertThat(refused.json().get("detail").asString()).contains("3 times, at lines 1, 3, 4");
      assertThat(meant.ok().get("replacements").asInt()).isEqualTo(3);
      assertThat(script("cat edit/h")).isEqualTo("z\ny\nz\nz\n");
    }

    @Test
    void whatIsNoTextIsRefused() {
      script(
          "mkdir -p edit; printf 'ok\\200\\377end' > edit/bin; printf 'h\\0i\\0' > edit/wide; mkfifo edit/p");

      assertThat(edit("edit/bin", "ok", "no").code()).isEqualTo("file_binary");
      assertThat(edit("edit/wide", "h", "no").code()).isEqualTo("file_binary");
      assertThat(edit("edit/p", "h", "no").code()).isEqualTo("file_refused");
      assertThat(edit("edit", "h", "no").code()).isEqualTo("file_refused");
      assertThat(edit("edit/none", "h", "no").code()).isEqualTo("file_missing");
      assertThat(edit("/etc/passwd", "root", "no").code()).isEqualTo("path_outside");
    }

    @Test
    void aSecretThatIsNotShownSurvives() {
      withSecret("mkdir -p edit; printf 'a=1\\nkey=%s\\nb=2\\n' \"$MESH_SECRET_KEY\" > edit/env");

      var edited = edit("edit/env", "b=2", "b=3").ok();
      var marker = edit("edit/env", "key=[REDACTED]", "key=x");
      var part = edit("edit/env", "key=tok", "key=x");

      assertThat(edited.get("changes").get(0).get("text").asString())
          .isEqualTo("a=1\nkey=[REDACTED]\nb=3\n");
      assertThat(marker.code()).isEqualTo("content_redacted");
      assertThat(part.code()).isEqualTo("content_redacted");
      assertThat(withSecret("grep -cxF \"key=$MESH_SECRET_KEY\" edit/env; tail -n 1 edit/env"))
          .isEqualTo("1\nb=3\n");
    }

    @Test
    void editsAtOnceDoNotLoseEachOther() {
      script("mkdir -p edit; for i in 1 2 3 4 5 6 7 8; do echo line-$i-; done > edit/many");

      IntStream.rangeClosed(1, 8)
          .parallel()
          .forEach(i -> edit("edit/many", "line-" + i + "-", "done-" + i + "-").ok());

      assertThat(script("grep -c done edit/many")).isEqualTo("8\n");
    }
  }

  @Nested
  class Finding {

    /** Cases 68 and 71: pipes and loops do not hang, and any name can be given back. */
    @Test
    void anyNameIsFoundAndCanBeUsed() {
      script(
          """
          mkdir -p 'find/a b/é ☕'; cd find
          nl='line
          break'
          for f in 'a b/é ☕/-n.txt' "q'\\"\\$x" "$nl" -dash .hidden; do echo "needle here" > "./$f"; done
          mkfifo pipe; ln -s . loop; ln -s /nowhere gone; printf 'needle\\0' > binary; : > empty
          """);
      var names = List.of("-dash", ".hidden", "a b/é ☕/-n.txt", "line\nbreak", "q'\"$x");

      var grep = agent.tool("workspace_grep", "{\"pattern\":\"needle\",\"path\":\"find\"}").ok();
      var glob = agent.tool("workspace_glob", "{\"pattern\":\"**\",\"path\":\"find\"}").ok();
      var list = agent.tool("workspace_list", "{\"path\":\"find\",\"depth\":5}").ok();

      var found = strings(grep.get("matches"), "path");
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(names.stream().map(it -> "find/" + it).toList());
      var paths = new ArrayList<String>();
      glob.get("paths").forEach(path -> paths.add(path.asString()));
      assertThat(paths)
          .containsAll(found)
          .contains("find/pipe", "find/loop", "find/gone")
          .isSorted();
      assertThat(strings(list.get("entries"), "path"))
          .containsAll(found)
          .contains("find/a b")
          .isSorted();
      assertThat(list.get("truncated").asBoolean()).isFalse();
      for (var path : found) {
        var read = TestMesh.JSON.createObjectNode().put("path", path);
        assertThat(
                agent.tool("workspace_read_file", read.toString()).ok().get("content").asString())
            .isEqualTo("needle here\n");
        assertThat(
                agent
                    .tool(
                        "workspace_edit_file",
                        read.put("old_text", "here").put("new_text", "there").toString())
                    .status())
            .isEqualTo(200);
        agent
            .tool(
                "workspace_edit_file",
                read.put("old_text", "there").put("new_text", "here").toString())
            .ok();
      }
    }

    @Test
    void aListingTellsTypeSizeAndMode() {
      script(
          "mkdir -p list/sub; cd list; printf abc > f; chmod 640 f; ln -s f l; mkfifo p; touch sub/deep");

      var flat = agent.tool("workspace_list", "{\"path\":\"list\"}").ok().get("entries");
      var cut = agent.tool("workspace_list", "{\"path\":\"list\",\"depth\":2,\"limit\":2}").ok();

      assertThat(flat)
          .extracting(it -> it.get("path").asString() + " " + it.get("type").asString())
          .containsExactly("list/f file", "list/l link", "list/p other", "list/sub directory");
      assertThat(flat.get(0).get("size").asInt()).isEqualTo(3);
      assertThat(flat.get(0).get("mode").asString()).isEqualTo("0640");
      assertThat(cut.get("entries")).hasSize(2);
      assertThat(cut.get("truncated").asBoolean()).isTrue();
      assertThat(agent.tool("workspace_list", "{\"path\":\"list/f\"}").code())
          .isEqualTo("file_refused");
      assertThat(agent.tool("workspace_list", "{\"path\":\"nothing\"}").code())
          .isEqualTo("file_missing");
      script("ln -s / out");
      assertThat(agent.tool("workspace_list", "{\"path\":\"out\"}").code())
          .isEqualTo("path_outside");
    }

    @Test
    void globsFollowTheirDialect() {
      script(
          "mkdir -p glob/src/deep; cd glob; touch a.java b.kt src/c.java src/deep/d.java src/deep/e.[x] .f.java");

      assertThat(globbed("*.java")).containsExactly("glob/.f.java", "glob/a.java");
      assertThat(globbed("**/*.java"))
          .containsExactly(
              "glob/.f.java", "glob/a.java", "glob/src/c.java", "glob/src/deep/d.java");
      assertThat(globbed("src/**/*.java"))
          .containsExactly("glob/src/c.java", "glob/src/deep/d.java");
      assertThat(globbed("{a,b}.{java,kt}")).containsExactly("glob/a.java", "glob/b.kt");
      assertThat(globbed("src/*/[!d].\\\\[?\\\\]")).containsExactly("glob/src/deep/e.[x]");
      assertThat(agent.tool("workspace_glob", "{\"pattern\":\"[\"}").code())
          .isEqualTo("pattern_invalid");
    }

    @Test
    void linesComeWithNumbersContextAndLimits() {
      script(
          """
          mkdir -p grep/sub; cd grep; printf 'one\\nTwo\\nthree\\n' > a.txt; seq 1 500 > sub/b.log
          head -c 5000 /dev/zero | tr '\\0' x > long; echo ' end' >> long
          """);

      var two =
          grep("{\"pattern\":\"^t(w|x)o$\",\"ignore_case\":true,\"context\":1,\"path\":\"grep\"}");
      var many =
          grep("{\"pattern\":\"^[0-9]+$\",\"path\":\"grep\",\"glob\":\"*.log\",\"limit\":10}");
      var file = grep("{\"pattern\":\"^499$\",\"path\":\"grep/sub/b.log\"}");
      var wide = grep("{\"pattern\":\"x\",\"path\":\"grep/long\"}").get("matches").get(0);

      assertThat(two.get("matches"))
          .extracting(it ->
              it.get("line").asInt() + it.get("text").asString() + it.get("context").asBoolean())
          .containsExactly("1onetrue", "2Twofalse", "3threetrue");
      assertThat(many.get("matches")).hasSize(10);
      assertThat(many.get("truncated").asBoolean()).isTrue();
      assertThat(file.get("matches").get(0).get("path").asString()).isEqualTo("grep/sub/b.log");
      assertThat(file.get("matches").get(0).get("line").asInt()).isEqualTo(499);
      assertThat(wide.get("clipped").asBoolean()).isTrue();
      assertThat(wide.get("text").asString()).hasSizeBetween(1_900, 2_000);
      assertThat(agent.tool("workspace_grep", "{\"pattern\":\"(\"}").code())
          .isEqualTo("pattern_invalid");
      assertThat(grep("{\"pattern\":\"--help\",\"path\":\"grep\"}").get("matches")).isEmpty();
    }

    @Test
    void noSecretIsFound() {
      withSecret(
          "mkdir -p hide; printf 'key=%s\\n' \"$MESH_SECRET_KEY\" > hide/env; touch \"hide/$MESH_SECRET_KEY\"; "
              + "{ head -c 1980 /dev/zero | tr '\\0' y; printf '%s\\n' \"$MESH_SECRET_KEY\"; } > hide/cut");

      var key = grep("{\"pattern\":\"key\",\"path\":\"hide\"}").get("matches").get(0);
      var cut = grep("{\"pattern\":\"y\",\"path\":\"hide/cut\"}").get("matches").get(0);
      var names = agent.tool("workspace_list", "{\"path\":\"hide\"}").ok().toString();

      assertThat(key.get("text").asString()).isEqualTo("key=[REDACTED]");
      assertThat(cut.get("text").asString()).endsWith("y[REDACTED]");
      assertThat(names).contains("hide/[REDACTED]").doesNotContain(secret.substring(0, 12));
    }
  }

  @Nested
  class InTheBackground {

    @Test
    void aProcessGoesOnAndIsFoundAgain() {
      long started = System.nanoTime();
      var process = start("cat; echo begun; echo oops >&2; sleep 1; echo over; exit 7", "fed\\n");
      assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(4));

      var first = output(process, 0, 5);
      var listed = entry(process);
      var rest = untilTheEnd(process, first.get("next_offset").asLong());

      assertThat(first.get("content").asString()).startsWith("fed\n");
      assertThat(listed.get("command").asString()).startsWith("cat; echo begun");
      assertThat(listed.get("started_at").asString()).startsWith("20");
      assertThat(first.get("content").asString() + rest).isEqualTo("fed\nbegun\nover\n");
      assertThat(entry(process).get("state").asString()).isEqualTo("exited");
      assertThat(entry(process).get("exit_code").asInt()).isEqualTo(7);
      assertThat(
              agent
                  .tool(
                      "workspace_process_output",
                      "{\"process\":\"%s\",\"channel\":\"stderr\",\"offset\":-4}"
                          .formatted(process))
                  .ok()
                  .get("content")
                  .asString())
          .isEqualTo("ops\n");
      assertThat(agent.tool("workspace_process_output", "{\"process\":\"99999\"}").code())
          .isEqualTo("process_unknown");
    }

    /** Case 1, of a reader that comes again: no window shows a part of a secret. */
    @Test
    void aSecretIsShownInNoPart() {
      withSecret("printf %s \"$MESH_SECRET_KEY\" > key");
      var process =
          start(
              "a=$(cut -c1-20 key); b=$(cut -c21- key); printf 'x%s' \"$a\"; sleep 1; printf '%s\\n' \"$b\"; cat key key");

      var shown = new StringBuilder();
      long offset = 0;
      JsonNode page;
      do {
        page =
            agent
                .tool(
                    "workspace_process_output",
                    "{\"process\":\"%s\",\"offset\":%d,\"max_bytes\":16,\"wait_seconds\":3}"
                        .formatted(process, offset))
                .ok();
        shown.append(page.get("content").asString());
        offset = page.get("next_offset").asLong();
      } while (!page.get("eof").asBoolean());

      assertThat(shown.toString().replace("[REDACTED]", "")).isEqualTo("x\n");
      assertThat(page.get("total_bytes").asInt()).isEqualTo(2 + 3 * secret.length());
    }

    @Test
    void aSignalReachesTheWholeTree() {
      var process =
          start(
              "(setsid sh -c 'sleep 600; :' &) ; sleep 600 & env -i setsid sleep 600 & trap 'echo caught; exit 3' INT; echo up; while :; do sleep 0.1; done");
      output(process, 0, 5);

      var interrupted = signal(process, "INT");
      var text = untilQuiet(process);
      var killed = signal(process, "KILL");

      assertThat(interrupted.get("signalled").asInt()).isGreaterThan(2);
      assertThat(text).isEqualTo("up\ncaught\n");
      assertThat(entry(process).get("state").asString()).isEqualTo("exited");
      assertThat(entry(process).get("exit_code").asInt()).isEqualTo(3);
      assertThat(killed.get("process").asString()).isEqualTo(process);
      assertThat(signal(process, "TERM").get("signalled").asInt()).isZero();
    }

    @Test
    void aKilledOneSaysSo() {
      var process = start("echo $$; exec sleep 600");
      output(process, 0, 5);

      var killed = signal(process, "KILL");

      assertThat(killed.get("state").asString()).isEqualTo("signalled");
      assertThat(killed.get("signal").asInt()).isEqualTo(9);
    }

    @Test
    void itsOutputDoesNotFillTheDisk() {
      var process = start("seq 1 4000000; echo last");
      Await.until(
          Duration.ofSeconds(30), () -> entry(process).get("state").asString(), "exited"::equals);

      var begin = output(process, 0, 0);
      var end =
          agent
              .tool(
                  "workspace_process_output",
                  "{\"process\":\"%s\",\"offset\":-13}".formatted(process))
              .ok();

      assertThat(begin.get("total_bytes").asLong()).isEqualTo(30_888_901);
      assertThat(begin.get("skipped_bytes").asLong()).isBetween(20_000_000L, 22_600_000L);
      assertThat(begin.get("offset").asLong()).isEqualTo(begin.get("skipped_bytes").asLong());
      assertThat(end.get("content").asString()).isEqualTo("4000000\nlast\n");
      assertThat(
              Integer.parseInt(
                  script("du -sm ~/.mesh-processes/" + process + " | cut -f1").strip()))
          .isLessThan(11);
    }

    @Test
    void whatComesIsStreamed() {
      var process = start("for i in 1 2 3; do echo $i; sleep 0.5; done");

      var events =
          agent.events(
              "/api/agent/tools/workspace_process_output",
              "{\"process\":\"%s\",\"wait_seconds\":10}".formatted(process));

      // However busy the machine is: in pieces, each once, in order, and before the result.
      var pieces = new ArrayList<String>();
      for (int i = 0; !events.get(i).equals("event: result"); i++) {
        if (events.get(i).equals("event: stdout")) {
          pieces.add(
              TestMesh.JSON
                  .readTree(events.get(i + 1).substring("data: ".length()))
                  .get("text")
                  .asString());
        }
      }
      assertThat(pieces).hasSizeGreaterThan(1);
      assertThat(String.join("", pieces)).isEqualTo("1\n2\n3\n");
      var result =
          TestMesh.JSON.readTree(
              events.get(events.indexOf("event: result") + 1).substring("data: ".length()));
      assertThat(result.get("content").asString()).isEqualTo("1\n2\n3\n");
      assertThat(result.get("eof").asBoolean()).isTrue();
    }

    @Test
    void whatCannotBeIsRefused() {
      var secrets = background("\"secrets\":[\"key\"]");
      var timeout = background("\"timeout_seconds\":5");
      var directory = background("\"dir\":\"/nope\"");

      assertThat(secrets.code()).isEqualTo("arguments_invalid");
      assertThat(secrets.json().get("pointer").asString()).isEqualTo("/secrets");
      assertThat(timeout.json().get("pointer").asString()).isEqualTo("/timeout_seconds");
      assertThat(directory.code()).isEqualTo("directory_missing");
    }

    private Answer background(String more) {
      return agent.tool("workspace_exec", "{\"argv\":[\"true\"],\"background\":true," + more + "}");
    }
  }

  @Nested
  class WholeOutputs {

    @Test
    void theAgentPagesThroughItsOwn() {
      var shown =
          agent.exec(
              "sh",
              "-c",
              "i=0; while [ $i -lt 3000 ]; do echo 'é☕😀 a line of an output'; i=$((i+1)); done");
      var artifact = shown.get("artifact").asString();
      var paged = new StringBuilder();
      long offset = 0;
      JsonNode page;
      do {
        page =
            agent
                .tool(
                    "workspace_read_output",
                    "{\"artifact\":\"%s\",\"offset\":%d,\"max_bytes\":40001}"
                        .formatted(artifact, offset))
                .ok();
        paged.append(page.get("content").asString());
        offset = page.get("next_offset").asLong();
      } while (!page.get("eof").asBoolean());

      assertThat(paged.toString()).isEqualTo("é☕😀 a line of an output\n".repeat(3000));
      assertThat(offset).isEqualTo(shown.get("stdout_bytes").asLong());
    }

    @Test
    void anothersIsUnknown() {
      var artifact = agent.exec("seq", "1", "20000").get("artifact").asString();
      var other =
          mesh().admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
      var stranger = mesh().with(other.get("token").asString());
      var arguments = "{\"artifact\":\"%s\"}".formatted(artifact);

      assertThat(agent.tool("workspace_read_output", arguments).status()).isEqualTo(200);
      assertThat(stranger.tool("workspace_read_output", arguments).code())
          .isEqualTo("artifact_unknown");
      assertThat(stranger.tool("workspace_read_output", "{\"artifact\":\"x\"}").code())
          .isEqualTo("artifact_unknown");
      stranger.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}").ok();
    }

    /** case 106 */
    @Test
    void onlyWhatIsCutIsMarked() {
      var exact = agent.exec("sh", "-c", "head -c 65536 /dev/zero | tr '\\0' x");
      var more = agent.exec("sh", "-c", "head -c 65537 /dev/zero | tr '\\0' x");

      assertThat(exact.get("truncated").asBoolean()).isFalse();
      assertThat(exact.get("stdout").asString()).isEqualTo("x".repeat(65_536));
      assertThat(more.get("truncated").asBoolean()).isTrue();
      assertThat(more.get("stdout").asString())
          .contains("\n… 1 bytes omitted; ")
          .startsWith("xx")
          .endsWith("xx");
    }
  }

  @Nested
  class Encodings {

    /** case 69 */
    @Test
    void invalidTextIsNeverTakenForAFaithfulCopy() {
      script("printf 'ok\\200\\377end' > invalid");

      assertThat(script("cat invalid")).isEqualTo("ok\uFFFD\uFFFDend");
      var read = agent.tool("workspace_read_file", "{\"path\":\"invalid\"}").ok();
      assertThat(read.get("encoding").asString()).isEqualTo("base64");
      assertThat(read.get("content").asString()).isEqualTo("b2uA/2VuZA==");
    }

    /** case 108 */
    @Test
    void markedAndWideTextIsReadTheSameEachTime() {
      script("printf '\\357\\273\\277a: 1' > bom; printf '\\377\\376h\\0i\\0' > wide");

      for (int i = 0; i < 2; i++) {
        assertThat(
                agent
                    .tool("workspace_read_file", "{\"path\":\"bom\"}")
                    .ok()
                    .get("content")
                    .asString())
            .isEqualTo("\uFEFFa: 1");
        assertThat(
                agent
                    .tool("workspace_read_file", "{\"path\":\"wide\",\"offset\":0}")
                    .ok()
                    .get("encoding")
                    .asString())
            .isEqualTo("base64");
      }
    }

    /** Case 117: what was printed is kept as it was. */
    @Test
    void carriageReturnsStayInTheAnswer() {
      var stdout = script("for i in $(seq 50); do printf '\\r%d%%' $i; done; echo ok");

      assertThat(stdout).startsWith("\r1%\r2%").endsWith("\r50%ok\n");
    }
  }

  private String script(String script) {
    var arguments = TestMesh.JSON.createObjectNode().put("script", script);
    return agent.tool("workspace_exec", arguments.toString()).ok().get("stdout").asString();
  }

  private String withSecret(String script) {
    var arguments = TestMesh.JSON.createObjectNode().put("script", script);
    arguments.putArray("secrets").add("key");
    return agent.tool("workspace_exec", arguments.toString()).ok().get("stdout").asString();
  }

  private Answer edit(String path, String before, String after) {
    return agent.tool(
        "workspace_edit_file",
        "{\"path\":\"%s\",\"old_text\":\"%s\",\"new_text\":\"%s\"}".formatted(path, before, after));
  }

  private List<String> globbed(String pattern) {
    var paths = new ArrayList<String>();
    agent
        .tool("workspace_glob", "{\"pattern\":\"%s\",\"path\":\"glob\"}".formatted(pattern))
        .ok()
        .get("paths")
        .forEach(path -> paths.add(path.asString()));
    return paths;
  }

  private JsonNode grep(String arguments) {
    return agent.tool("workspace_grep", arguments).ok();
  }

  private String start(String script) {
    return start(script, "");
  }

  private String start(String script, String stdin) {
    var arguments = TestMesh.JSON.createObjectNode().put("script", script).put("background", true);
    arguments.put("stdin", stdin.translateEscapes());
    var answer = agent.tool("workspace_exec", arguments.toString()).ok();
    assertThat(answer.get("outcome").asString()).isEqualTo("started");
    return answer.get("process").asString();
  }

  private JsonNode output(String process, long offset, int wait) {
    return agent
        .tool(
            "workspace_process_output",
            "{\"process\":\"%s\",\"offset\":%d,\"wait_seconds\":%d}"
                .formatted(process, offset, wait))
        .ok();
  }

  private String untilTheEnd(String process, long from) {
    var text = new StringBuilder();
    long offset = from;
    JsonNode page;
    do {
      page = output(process, offset, 10);
      text.append(page.get("content").asString());
      offset = page.get("next_offset").asLong();
    } while (!page.get("eof").asBoolean());
    return text.toString();
  }

  /** All that was printed when its leader has ended, though others may hold its output open. */
  private String untilQuiet(String process) {
    Await.until(
        Duration.ofSeconds(10),
        () -> entry(process).get("state").asString(),
        it -> !it.equals("running"));
    return output(process, 0, 0).get("content").asString();
  }

  private JsonNode signal(String process, String signal) {
    return agent
        .tool(
            "workspace_process_signal",
            "{\"process\":\"%s\",\"signal\":\"%s\"}".formatted(process, signal))
        .ok();
  }

  private JsonNode entry(String process) {
    for (var entry : agent.tool("workspace_processes", "{}").ok().get("processes")) {
      if (entry.get("process").asString().equals(process)) {
        return entry;
      }
    }
    throw new AssertionError("no process " + process);
  }

  private static List<String> strings(JsonNode list, String name) {
    var all = new ArrayList<String>();
    list.forEach(entry -> all.add(entry.get(name).asString()));
    return all;
  }
}
