package mesh.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an agent's commands find of its credentials and vault, and that nothing they print gives it
 * away, over HTTP, whatever the runtime. Each runtime extends it. {@code case N} names the row of
 * the collection of public bug reports.
 */
abstract class CredentialBehaviour {

  static final String MARKER = "[REDACTED]";

  private String slug = "";
  private String run = "";
  private Client agent = new Client("", "");
  private final List<String> runs = new ArrayList<>();
  private final List<Client> agents = new ArrayList<>();

  abstract TestMesh mesh();

  /** Where each costs a vendor's simulator a handful of processes, a few must do. */
  int commandsAtOnce() {
    return 20;
  }

  @BeforeEach
  void makeAgent() {
    slug = "agent-" + Long.toString(System.nanoTime(), 36);
    admin().post("/api/agents", "{\"slug\":\"%s\",\"name\":\"A\"}".formatted(slug)).ok();
  }

  @AfterEach
  void finishRuns() {
    agents.forEach(
        one -> one.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}"));
    for (var one : runs) {
      Await.until(
          Duration.ofSeconds(30),
          () -> admin().get("/api/runs/" + one).ok().get("workspace").get("status").asString(),
          "released"::equals);
    }
  }

  // delivery

  @Test
  void aCommandFindsExactlyWhatItsAgentWasGranted() {
    var github = token("github");
    var gitlab = token("gitlab");
    startRun();

    var result =
        script(
            "for v in GH_TOKEN GITHUB_TOKEN GITLAB_TOKEN; do printenv $v | tr -d '\\n' | sha256sum;"
                + " done");

    assertThat(stdout(result).lines().map(line -> line.substring(0, 64)))
        .containsExactly(sha256(github), sha256(github), sha256(gitlab));
    assertThat(stderr(result)).isEmpty();
  }

  @Test
  void withoutACredentialWorkIsUnauthenticated() {
    startRun();

    assertThat(stdout(script("echo \"[$GH_TOKEN$GITHUB_TOKEN$GITLAB_TOKEN]\""))).isEqualTo("[]\n");
    assertThat(stdout(script("ls -A ~"))).doesNotContain("mesh");
  }

  @Test
  void whatIsNotPermittedIsNotDelivered() {
    token("github");
    var gitlab = token("gitlab");
    permit("github", false);
    startRun();

    assertThat(
            stdout(
                script(
                    "echo \"[$GH_TOKEN$GITHUB_TOKEN]\"; printenv GITLAB_TOKEN | tr -d '\\n' | sha256sum")))
        .startsWith("[]\n" + sha256(gitlab));
  }

  @Test
  void anotherAgentsCredentialIsNeverDelivered() {
    token("github");
    makeAgent();
    startRun();

    assertThat(stdout(script("echo \"[$GH_TOKEN]\""))).isEqualTo("[]\n");
  }

  @Test
  void toolsAreKeptFromAsking() {
    token("github");
    startRun();

    assertThat(stdout(script("echo $GIT_TERMINAL_PROMPT $GH_PROMPT_DISABLED $GIT_PAGER")))
        .isEqualTo("0 1 cat\n");
  }

  @Test
  void gitGetsTheTokenFromAHelperForItsHostAlone() {
    token("github");
    startRun();

    var ours = script("printf 'protocol=https\\nhost=github.com\\n\\n' | git credential fill");
    var other =
        script("printf 'protocol=https\\nhost=github.com.example\\n\\n' | git credential fill");

    assertThat(stdout(ours)).contains("username=x-access-token\n", "password=" + MARKER + "\n");
    assertThat(other.get("exit_code").asInt()).isNotZero();
    assertThat(stdout(other)).doesNotContain("password");
    assertThat(stdout(script("git config --list; cat ~/.gitconfig ~/.git-credentials 2>/dev/null")))
        .doesNotContain(MARKER + "\n" + MARKER);
  }

  @Test
  void nothingOfADeliveryIsLeftWhenTheCommandRuns() {
    token("github");
    startRun();

    var result =
        script("find ~/.mesh-grants -type f | wc -l; stat -c %a ~/.mesh-grants ~/.mesh-grants/*");

    assertThat(stdout(result)).isEqualTo("0\n700\n700\n");
  }

  @Test
  void theFolderOfGrantsIsNoBusinessOfTheFileTools() {
    token("github");
    startRun();
    var home = stdout(script("cd && pwd")).strip();

    for (var path :
        List.of(home + "/.mesh-grants", home + "/.mesh-grants/x", home + "/a/../.mesh-grants/x")) {
      var read = agent.tool("workspace_read_file", object("path", path).toString());
      var write =
          agent.tool("workspace_write_file", object("path", path).put("content", "x").toString());

      assertThat(read.json().get("code").asString()).isEqualTo("path_outside");
      assertThat(write.json().get("code").asString()).isEqualTo("path_outside");
    }
  }

  @Test
  void exitCodesOfCommandsAreNeverTakenForADeliveryThatFailed() {
    token("github");
    startRun();

    var result = script("echo 'mesh-grant 0123 missing' >&2; exit 126");

    assertThat(result.get("exit_code").asInt()).isEqualTo(126);
    assertThat(stderr(result)).isEqualTo("mesh-grant 0123 missing\n");
  }

  @Test
  void aLinkInTheWayOfADeliveryEndsTheSandboxBeforeAnythingIsWritten() {
    token("github");
    startRun();
    script("rm -rf ~/.mesh-grants && mkdir there && ln -s \"$PWD/there\" ~/.mesh-grants");

    // The part that this instance made before was in the folder that is gone.
    var refused = agent.tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("code").asString()).isIn("grant_unsafe");
  }

  @Test
  void aKeyThatCannotBeDecryptedIsToldAsThatAndNotAsAFailureToAuthenticate() {
    token("github");
    startRun();
    mesh()
        .bean(org.springframework.jdbc.core.simple.JdbcClient.class)
        .sql(
            """
            alter table agent_secrets disable trigger user;
            update agent_secrets set token = (select token from agent_secrets s2
                where s2.agent_id <> agent_secrets.agent_id
                   or true order by random() limit 1) || 'AAAA'
             where agent_id = (select id from runtime_agents where slug = '%s');
            alter table agent_secrets enable trigger user;
            """
                .formatted(slug))
        .update();

    var refused = agent.tool("workspace_exec", "{\"argv\":[\"git\",\"--version\"]}");
    var told = admin().get("/api/agents/%s/credentials/github".formatted(slug)).ok();

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("code").asString()).isEqualTo("credential_undecryptable");
    assertThat(refused.text()).contains("GitHub").contains("enter it again");
    assertThat(told.get("set").asBoolean()).isTrue();
    assertThat(told.get("error").get("code").asString()).isEqualTo("credential_undecryptable");
  }

  // redaction

  @Test
  void aTokenThatIsPrintedIsOneMarkerWhereverItAppears() {
    token("github");
    startRun();

    var result = script("echo \"a${GH_TOKEN}b$GH_TOKEN$GH_TOKEN\"; echo \"$GH_TOKEN\" >&2");

    assertThat(stdout(result)).isEqualTo("a" + MARKER + "b" + MARKER + "\n");
    assertThat(stderr(result)).isEqualTo(MARKER + "\n");
    assertThat(result.get("redactions").asInt()).isEqualTo(3);
  }

  /** Case 1. */
  @Test
  void aTokenPrintedInTwoPartsIsNotSeenInEither() {
    var token = token("github");
    startRun();
    int[] cuts = {1, 4, token.length() / 2, token.length() - 1};

    for (int cut : cuts) {
      for (var to : List.of("", " >&2")) {
        var script =
            "a=$(printf %%s \"$GH_TOKEN\" | cut -c1-%d); b=$(printf %%s \"$GH_TOKEN\" | cut -c%d-); printf %%s \"$a\"%s; sleep 0.3; printf '%%s\\n' \"$b\"%s"
                .formatted(cut, cut + 1, to, to);
        var events =
            agent.events("/api/agent/tools/workspace_exec", object("script", script).toString());

        var all = String.join("\n", events);
        assertThat(all).contains(MARKER);
        assertThat(all).doesNotContain(token.substring(Math.min(cut, 8)));
        if (cut >= 8) {
          assertThat(all).doesNotContain(token.substring(0, cut));
        }
        assertThat(events.stream().filter(line -> line.contains("\"outcome\"")).findFirst())
            .get()
            .asString()
            .contains("\"" + (to.isEmpty() ? "stdout" : "stderr") + "\":\"" + MARKER + "\\n\"");
      }
    }
  }

  /** Case 6. */
  @Test
  void errorsDoNotShowWhatOutputDoesNot() {
    var token = token("github");
    startRun();

    var answers =
        List.of(
            exec("git", "clone", "https://x:" + token + "@127.0.0.1:1/o/r"),
            agent.tool("workspace_read_file", object("path", "/tmp/" + token + "/none").toString()),
            exec(token),
            agent.tool(
                "workspace_exec", object("script", "true").put("dir", "/" + token).toString()),
            agent.tool(
                "workspace_write_file",
                object("path", "../" + token).put("content", "").toString()),
            agent.tool(token, "{}"),
            agent.tool("workspace_exec", object("argv", token).toString()));

    assertThat(answers.get(0).json().get("exit_code").asInt()).isEqualTo(128);
    assertThat(answers.get(2).json().get("exit_code").asInt()).isEqualTo(127);
    for (var answer : answers) {
      assertThat(answer.text()).doesNotContain(token);
    }
    assertThat(answers.get(0).text() + answers.get(1).text() + answers.get(2).text())
        .contains(MARKER);
    assertThat(admin().get("/api/runs/%s/steps?limit=200".formatted(run)).text())
        .doesNotContain(token)
        .contains(MARKER);
  }

  /** Case 7. */
  @Test
  void aSecretWithinAnotherDoesNotUncoverIt() {
    vault("long", "sk-live-12345");
    vault("short", "sk-live");
    startRun();

    for (var order : List.of(List.of("long", "short"), List.of("short", "long"))) {
      var result = withSecrets("echo $MESH_SECRET_LONG; echo $MESH_SECRET_SHORT", order);
      assertThat(stdout(result)).isEqualTo(MARKER + "\n" + MARKER + "\n");
    }
  }

  /** Case 22. */
  @ParameterizedTest
  @ValueSource(strings = {"p$w", "a(b", "x+y.z[", "\\Qa\\E", "$1"})
  void aTokenIsNoPattern(String token) {
    put("github", token);
    startRun();

    var result = script("printf '%s\\n' \"<$GH_TOKEN>\"");

    assertThat(stdout(result)).matches("<(\\[REDACTED]|\\*\\*\\*|•••)>\n");
  }

  /** Case 39. */
  @Test
  void argumentsReachTheCommandAsTheyAreAndAreKeptRedacted() {
    var token = token("github");
    startRun();

    var result = exec("sh", "-c", "printf %s \"$1\" | sha256sum", "sh", "Bearer " + token).ok();
    agent
        .tool("workspace_write_file", object("path", "k").put("content", "key=" + token).toString())
        .ok();

    assertThat(stdout(result)).startsWith(sha256("Bearer " + token));
    assertThat(stdout(script("sha256sum < k"))).startsWith(sha256("key=" + token));
    var steps = admin().get("/api/runs/%s/steps?limit=200".formatted(run));
    assertThat(steps.text()).doesNotContain(token).contains("Bearer " + MARKER, "key=" + MARKER);
    assertThat(admin().get("/api/activity?run=" + run).text()).doesNotContain(token);
  }

  /** Case 40. */
  @Test
  void aShortValueIsMaskedForItsCommandAlone() {
    vault("letter", "a");
    vault("json", "{\n\"k\":\"v1234567\"\n}");
    startRun();

    var masked = withSecrets("echo banana", List.of("letter"));
    var after = script("echo banana");
    var brace = withSecrets("echo '{ }'", List.of("json"));

    assertThat(stdout(masked)).isEqualTo("b" + MARKER + "n" + MARKER + "n" + MARKER + "\n");
    assertThat(masked.get("exit_code").asInt()).isZero();
    assertThat(masked.get("outcome").asString()).isEqualTo("exited");
    assertThat(stdout(after)).isEqualTo("banana\n");
    assertThat(stdout(brace)).isEqualTo("{ }\n");
  }

  /** Case 41. */
  @Test
  void anEmptyValueIsRefusedWithAReason() {
    var refused = admin().put("/api/agents/%s/vault/empty".formatted(slug), "{\"value\":\"\"}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("code").asString()).isEqualTo("vault_value_invalid");
    assertThat(refused.json().get("detail").asString()).contains("empty");
  }

  /** Case 51. */
  @Test
  void aValueIsFoundBeforeItIsEscaped() {
    var value = "a\"b\\c\té-" + Canaries.fresh("v");
    vault("x", value);
    startRun();

    var result = withSecrets("printenv MESH_SECRET_X", List.of("x"));

    assertThat(stdout(result)).isEqualTo(MARKER + "\n");
    var steps = admin().get("/api/runs/%s/steps?limit=200".formatted(run));
    assertThat(steps.json().get("steps").isArray()).isTrue();
    assertThat(steps.text()).doesNotContain("a\\\"b\\\\c").doesNotContain("a\"b\\c");
  }

  /** Case 52. */
  @Test
  void aMaskedFileIsNotWrittenBackOverTheRealOne() {
    var token = token("github");
    startRun();
    script("printf 'k=%s\\n' \"$GH_TOKEN\" > c.env");

    var read = agent.tool("workspace_read_file", "{\"path\":\"c.env\"}").ok();
    var back =
        agent.tool(
            "workspace_write_file",
            object("path", "c.env").put("content", read.get("content").asString()).toString());

    assertThat(read.get("content").asString()).isEqualTo("k=" + MARKER + "\n");
    assertThat(read.get("redacted").asBoolean()).isTrue();
    assertThat(back.status()).isEqualTo(400);
    assertThat(back.json().get("code").asString()).isEqualTo("content_redacted");
    assertThat(stdout(script("sha256sum < c.env"))).startsWith(sha256("k=" + token + "\n"));
  }

  @Test
  void noSeriesOfWindowsOfAFileShowsATokenInParts() {
    var token = token("github");
    startRun();
    script("printf 'before %s after %s' \"$GH_TOKEN\" \"$GH_TOKEN\" > f");
    int size = "before  after ".length() + 2 * token.length();

    for (int step : new int[] {1, 3, token.length() - 1, token.length() + 5}) {
      var joined = new StringBuilder();
      for (int offset = 0; offset < size; offset += step) {
        var read =
            agent
                .tool(
                    "workspace_read_file",
                    object("path", "f").put("offset", offset).put("max_bytes", step).toString())
                .ok();
        joined.append(read.get("content").asString());
        assertThat(read.get("next_offset").asInt()).isEqualTo(Math.min(offset + step, size));
      }
      assertThat(joined.toString().replaceAll("(\\[REDACTED])+", "X"))
          .isEqualTo("before X after X");
    }
  }

  @Test
  void anArtifactHoldsNoToken() {
    var token = token("github");
    startRun();

    var result =
        script(
            "i=0; while [ $i -lt 4000 ]; do echo \"$i $GH_TOKEN some more text\"; i=$((i+1)); done");
    var artifact = result.get("artifact").asString();
    var whole = admin().get("/api/artifacts/" + artifact + "/stdout");

    assertThat(result.get("redactions").asInt()).isEqualTo(4000);
    assertThat(result.toString()).doesNotContain(token);
    assertThat(whole.text()).doesNotContain(token).contains(MARKER);
  }

  // the vault

  /** Case 12. */
  @Test
  void aVaultValueArrivesByteForByteAndNothingInItIsRun() {
    var values =
        List.of(
            "-----BEGIN KEY-----\nabc+/=\ndef\n-----END KEY-----\n",
            "it's",
            "$(touch /tmp/pwn)",
            "`id`",
            "a b",
            "x\\",
            "x".repeat(64 * 1024),
            "trailing newline\n",
            "\"$HOME\" ! # é☕");
    for (int i = 0; i < values.size(); i++) {
      vault("v" + i, values.get(i));
    }
    startRun();

    for (int i = 0; i < values.size(); i++) {
      var result =
          withSecrets(
              "printf %s \"$MESH_SECRET_V" + i + "\" | sha256sum; test ! -e /tmp/pwn",
              List.of("v" + i));

      assertThat(stdout(result)).startsWith(sha256(values.get(i)));
      assertThat(stderr(result)).isEmpty();
      assertThat(result.get("exit_code").asInt()).isZero();
    }
  }

  @Test
  void aVaultValueIsForTheOneCommandThatNamesIt() {
    vault("api-key", Canaries.fresh("v"));
    startRun();

    var with = withSecrets("echo \"[$MESH_SECRET_API_KEY]\"", List.of("api-key"));
    var without = script("echo \"[$MESH_SECRET_API_KEY]\"; find ~ -type f");

    assertThat(stdout(with)).isEqualTo("[" + MARKER + "]\n");
    assertThat(stdout(without)).isEqualTo("[]\n");
  }

  @Test
  void commandsAtTheSameTimeDoNotGetEachOthersValues() throws Exception {
    vault("key", Canaries.fresh("v"));
    startRun();
    script("true");

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results =
          threads.invokeAll(
              IntStream.range(0, 50)
                  .mapToObj(i ->
                      (Callable<String>)
                          () ->
                              i % 2 == 0
                                  ? stdout(
                                      withSecrets("echo \"[$MESH_SECRET_KEY]\"", List.of("key")))
                                  : stdout(script("sleep 0.02; echo \"[$MESH_SECRET_KEY]\"")))
                  .toList());
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get()).isEqualTo(i % 2 == 0 ? "[" + MARKER + "]\n" : "[]\n");
      }
    }
  }

  /** Case 33. */
  @Test
  void runsAtTheSameTimeSeeTheirOwnTokensAndNothingOfTheServers() throws Exception {
    var tokens = new ArrayList<String>();
    for (int i = 0; i < 2; i++) {
      makeAgent();
      tokens.add(token("github"));
      startRun();
    }
    var script = object("script", "printenv GH_TOKEN | tr -d '\\n' | sha256sum; env").toString();

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var seen =
          threads.invokeAll(
              IntStream.range(0, commandsAtOnce())
                  .mapToObj(i ->
                      (Callable<String>)
                          () -> stdout(agents.get(i % 2).tool("workspace_exec", script).ok()))
                  .toList());
      for (int i = 0; i < seen.size(); i++) {
        assertThat(seen.get(i).get())
            .startsWith(sha256(tokens.get(i % 2)))
            .doesNotContain("MESH_CANARY");
      }
    }
    assertThat(System.getenv("MESH_CANARY")).isNotNull();
  }

  @Test
  void whatACommandLeftInAFileStaysHiddenAfterIt() {
    vault("key", Canaries.fresh("v"));
    startRun();
    withSecrets("echo $MESH_SECRET_KEY > kept", List.of("key"));

    assertThat(stdout(script("cat kept"))).isEqualTo(MARKER + "\n");
    assertThat(
            agent.tool("workspace_read_file", "{\"path\":\"kept\"}").ok().get("content").asString())
        .isEqualTo(MARKER + "\n");
  }

  /** Case 55. */
  @Test
  void namesThatWouldMeetInOneVariableAreRefusedWithBothOfThem() {
    vault("api_key", Canaries.fresh("v"));
    vault("API_KEY", Canaries.fresh("v"));
    startRun();

    for (var names :
        List.of(
            List.of("api_key", "API_KEY"),
            List.of("api-key", "api_key"),
            List.of("a.b", "a_b"),
            List.of("ß", "ss"))) {
      var refused = asking("touch ran", names);

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.text()).contains(names.get(0), names.get(1));
    }
    assertThat(stdout(script("ls"))).isEmpty();
  }

  /** Case 57. */
  @ParameterizedTest
  @ValueSource(
      strings = {"X;touch /tmp/pwn", "1a", "a-b", "a b", "", "PATH", "LD_PRELOAD", "BASH_ENV"})
  void aNameNeverReachesAShellAsSomethingElse(String name) {
    startRun();

    var unknown = asking("touch ran", List.of(name));

    assertThat(unknown.status()).isEqualTo(400);
    assertThat(unknown.json().get("code").asString()).isEqualTo("secret_unknown");
    assertThat(stdout(script("ls; ls /tmp/pwn 2>/dev/null"))).isEmpty();
    if (!name.isEmpty() && !name.contains(";") && !name.contains(" ")) {
      vault(name, Canaries.fresh("v"));
      var result = withSecrets("echo ${PATH:+set}; env | grep -c '^MESH_SECRET_'", List.of(name));
      assertThat(stdout(result)).isEqualTo("set\n1\n");
    }
  }

  @Test
  void aRotatedValueIsTheNextCommandsAndAForgottenOneARefusal() {
    var first = Canaries.fresh("v");
    var second = Canaries.fresh("v");
    vault("key", first);
    startRun();

    var before = withSecrets("printf %s $MESH_SECRET_KEY | sha256sum", List.of("key"));
    vault("key", second);
    var after = withSecrets("printf %s $MESH_SECRET_KEY | sha256sum", List.of("key"));
    admin().delete("/api/agents/%s/vault/key".formatted(slug));
    var gone = asking("true", List.of("key"));

    assertThat(stdout(before)).startsWith(sha256(first));
    assertThat(stdout(after)).startsWith(sha256(second));
    assertThat(gone.json().get("code").asString()).isEqualTo("secret_unknown");
    assertThat(stdout(script("echo still here"))).isEqualTo("still here\n");
  }

  @Test
  void whatTheRunCouldSeeIsOneQuestion() {
    token("github");
    permit("gitlab", false);
    vault("key", Canaries.fresh("v"));
    startRun();
    withSecrets("true", List.of("key"));
    withSecrets("true", List.of("key"));

    var seen = admin().get("/api/runs/%s/grants".formatted(run)).ok();
    var reads = admin().get("/api/activity?action=vault.read&run=" + run).ok().get("entries");

    assertThat(seen.get("issuances")).hasSize(2);
    var github = seen.get("issuances").get(0);
    assertThat(github.get("provider").asString()).isEqualTo("github");
    assertThat(github.get("available").asBoolean()).isTrue();
    assertThat(github.get("current").asBoolean()).isTrue();
    assertThat(github.get("permission_revision").asInt()).isEqualTo(2);
    assertThat(seen.get("issuances").get(1).get("available").asBoolean()).isFalse();
    assertThat(seen.get("vault")).hasSize(1);
    assertThat(seen.get("egress").get("mode").asString()).isEqualTo("open");
    assertThat(reads).hasSize(2);
    assertThat(reads.get(0).get("connection").asString()).isEqualTo("key");
    assertThat(reads.get(0).get("agent").asString()).isEqualTo(slug);
  }

  // how tests say it

  private Client admin() {
    return mesh().admin();
  }

  private void startRun() {
    var created =
        admin().post("/api/runs", "{\"agent\":\"%s\",\"mode\":\"external\"}".formatted(slug)).ok();
    run = created.get("id").asString();
    agent = mesh().with(created.get("token").asString());
    runs.add(run);
    agents.add(agent);
  }

  private String token(String provider) {
    var token = Canaries.fresh(provider.equals("github") ? "ghp_" : "glpat-");
    put(provider, token);
    return token;
  }

  private void put(String provider, String token) {
    var body = TestMesh.JSON.createObjectNode().put("token", token);
    body.putObject("account").put("login", "bot").put("email", "bot@example.com");
    admin().put("/api/agents/%s/credentials/%s".formatted(slug, provider), body.toString()).ok();
  }

  private void permit(String provider, boolean enabled) {
    admin()
        .put(
            "/api/agents/%s/credential-permissions/%s".formatted(slug, provider),
            "{\"enabled\":%b}".formatted(enabled))
        .ok();
  }

  private void vault(String name, String value) {
    admin()
        .put("/api/agents/%s/vault/%s".formatted(slug, name), object("value", value).toString())
        .ok();
  }

  private JsonNode script(String script) {
    return agent.tool("workspace_exec", object("script", script).toString()).ok();
  }

  private Answer exec(String... argv) {
    var arguments = TestMesh.JSON.createObjectNode();
    var list = arguments.putArray("argv");
    List.of(argv).forEach(list::add);
    return agent.tool("workspace_exec", arguments.toString());
  }

  private JsonNode withSecrets(String script, List<String> names) {
    return asking(script, names).ok();
  }

  private Answer asking(String script, List<String> names) {
    var arguments = object("script", script);
    var list = arguments.putArray("secrets");
    names.forEach(list::add);
    return agent.tool("workspace_exec", arguments.toString());
  }

  private static ObjectNode object(String key, String value) {
    return TestMesh.JSON.createObjectNode().put(key, value);
  }

  private static String stdout(JsonNode result) {
    return result.get("stdout").asString();
  }

  private static String stderr(JsonNode result) {
    return result.get("stderr").asString();
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
