package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mesh.TestMesh;
import mesh.dashboard.Person.Answer;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.Isolation;
import mesh.settings.AgentRuntimes;
import mesh.settings.RuntimeSetting;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Runtimes, as a person without scripts configures them. */
@ExtendWith(OutputCaptureExtension.class)
class RuntimesPageTest {

  private static final String PAGE = "/settings/agent-runtimes";
  private static final String ALPHA = PAGE + "/alpha";
  private static final String TOKEN = "alpha-token-that-nobody-reads-4711";
  private static final String KEY =
      "-----BEGIN KEY-----\r\nkeyThatNobodyReads\r\n-----END KEY-----";

  private static final StagedRuntime alpha = new StagedRuntime();
  private static TestMesh mesh;
  private static Staging staging;
  private static Person ada;
  private static Person olga;
  private static Person vera;

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.with(alpha);
    staging = new Staging(mesh);
    ada = Person.admin(mesh, console);
    olga = Person.with(mesh, "olga", "operator");
    vera = Person.with(mesh, "vera", "viewer");
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  /** Local enabled, alpha neither enabled nor configured. */
  @BeforeEach
  void forget() {
    mesh.admin().put("/api" + PAGE + "/local", "{\"enabled\":true}").ok();
    mesh.admin()
        .put(
            "/api" + ALPHA,
            """
            {"enabled":false,"config":{"token":null,"key":null,"base_url":null,"project":null,
             "region":null,"max_size":null,"private_network":null}}
            """)
        .ok();
  }

  @Test
  void everyRuntimeOfTheCatalogIsACardInItsOrder() {
    String page = vera.page(PAGE);

    List<String> titles =
        mesh.bean(AgentRuntimes.class).all().stream().map(it -> it.descriptor().title()).toList();
    assertThat(titles).startsWith("Alpha").endsWith("Local");
    assertThat(page).containsSubsequence(titles.stream().map(it -> "\">" + it + "</h2>").toList());
    assertThat(page).contains("href=\"/settings/agent-runtimes\" aria-current=\"page\"");
  }

  @Test
  void aCardTellsStateDefaultIsolationSizeAndWarning() {
    assertThat(card("alpha"))
        .contains("Machines somewhere, for tests.", "Needs configuration")
        .contains("A virtual machine of its own", "standard")
        .doesNotContain("Instance default", "banner attention");
    assertThat(card("local"))
        .contains(
            "Enabled",
            "Instance default",
            "None: a directory of its own",
            "xlarge",
            "Never tested.")
        .contains("banner attention", "Unsafe for anything but working on Mesh itself");
  }

  @Test
  void aCardTellsWhatARuntimeCanDoAndWhatFollowsFromWhatItCannot() {
    for (RuntimeSetting runtime : mesh.bean(AgentRuntimes.class).all()) {
      String card = card(runtime.descriptor().name().value());
      runtime
          .capabilities()
          .forEach(it -> {
            String has = escaped(it.withIt());
            String lacks = escaped(it.withoutIt());
            assertThat(card)
                .contains(it.present() ? has : lacks)
                .doesNotContain(it.present() ? lacks : has);
          });
    }
  }

  @Test
  void aCardCountsTheLiveWorkspacesThere() {
    ada.done("/agents", Map.of("slug", "counted"));
    staging.runWithSandbox("counted", "Live on");

    assertThat(fact(card("local"), "Live workspaces")).isNotEqualTo("0");
    assertThat(fact(card("alpha"), "Live workspaces")).isEqualTo("0");
    assertThat(card("local")).containsPattern("live workspaces? stays? and (is|are) released");
  }

  @Test
  void aRuntimeIsConfiguredEnabledAndBecomesTheDefaultByItsPlaceInTheCatalog() {
    assertThat(card("alpha")).contains("Save and enable").doesNotContain(ALPHA + "/enable");
    assertThat(ada.done(ALPHA, form(Map.of("config.project", " mesh ", "config.token", TOKEN))))
        .contains("Alpha is saved.", "It is not enabled: no new workspace is made there.");
    assertThat(setting().values())
        .as("what was left as it showed stays unset")
        .containsExactly(Map.entry("project", "mesh"));
    assertThat(card("alpha")).contains("Not enabled", ALPHA + "/enable");

    assertThat(ada.done(ALPHA + "/enable", Map.of()))
        .contains("Alpha is enabled.", "The instance default is Alpha.");

    assertThat(card("alpha")).contains("Enabled", "Instance default");
    assertThat(card("local")).contains("Enabled").doesNotContain("Instance default");
  }

  @Test
  void everyKindOfFieldIsKeptAndCleared() {
    Map<String, String> all = new HashMap<>();
    all.put("config.token", TOKEN);
    all.put("config.key", KEY);
    all.put("config.base_url", "https://alpha.example/v2/");
    all.put("config.project", "mesh");
    all.put("config.region", "south");
    all.put("config.max_size", "large");
    all.put("config.private_network", "on");
    all.put("enable", "true");

    ada.done(ALPHA, all);

    assertThat(setting().values())
        .containsEntry("base_url", "https://alpha.example/v2")
        .containsEntry("region", "south")
        .containsEntry("max_size", "large")
        .containsEntry("private_network", "true");
    assertThat(card("alpha"))
        .contains(
            "value=\"south\"", "value=\"large\" selected", " checked", "If empty: <code>north");
    assertThat(secret("key")).isEqualTo(KEY.replace("\r\n", "\n"));

    ada.done(
        ALPHA,
        form(Map.of("config.base_url", "https://alpha.example/v2", "config.project", "mesh")));

    assertThat(setting().values())
        .doesNotContainKey("region")
        .containsEntry("max_size", "standard")
        .containsEntry("private_network", "false");
    assertThat(secret("token")).as("an empty secret keeps what is set").isEqualTo(TOKEN);
  }

  @Test
  void secretsGoInAndNeverComeBack() {
    enableAlpha();
    List<Answer> pages = new ArrayList<>();
    for (Person person : List.of(ada, olga, vera)) {
      pages.add(person.get(PAGE));
      pages.add(person.get("/activity"));
    }
    pages.add(ada.post(ALPHA, form(Map.of("config.token", TOKEN, "config.base_url", "ftp://x"))));

    for (Answer page : pages) {
      assertThat(page.status()).isIn(200, 422);
      assertThat(page.text()).doesNotContain(TOKEN, "keyThatNobodyReads");
    }
    assertThat(card("alpha"))
        .contains("<strong>Set <time", "enter another to replace it")
        .contains("Clear Private key…")
        .as("what an enabled runtime requires cannot be cleared")
        .doesNotContain("Clear Token…");

    assertThat(ada.done(ALPHA + "/clear", Map.of("field", "key"))).contains("Alpha is saved.");
    assertThat(setting().secrets()).containsOnlyKeys("token");
    assertThat(card("alpha")).doesNotContain("Clear Private key…");
    assertThat(ada.post(ALPHA + "/clear", Map.of("field", "token")).status()).isEqualTo(422);
    assertThat(ada.post(ALPHA + "/clear", Map.of("field", "nonsense")).status()).isEqualTo(400);
  }

  @Test
  void whatIsMissingIsToldAtEachFieldBeforeARuntimeIsEnabled() {
    Answer refused = ada.post(ALPHA, form(Map.of("config.region", "<west>", "enable", "true")));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("href=\"#alpha-token\"", "id=\"alpha-token-wrong\"")
        .contains("href=\"#alpha-project\"", "id=\"alpha-project-wrong\"")
        .contains("Enter Project: Alpha cannot be enabled without it.")
        .contains("value=\"&lt;west>\"")
        .contains("<details class=\"more\" open>");
    assertThat(setting().values()).isEmpty();
    assertThat(ada.post(ALPHA + "/enable", Map.of()).text())
        .contains("Enter Token: Alpha cannot be enabled without it.");
  }

  @Test
  void everyWrongFieldIsToldAndNothingTypedIsLostButSecrets() {
    Map<String, String> wrong = new HashMap<>();
    wrong.put("config.token", TOKEN);
    wrong.put("config.base_url", "http://elsewhere.example");
    wrong.put("config.project", "p".repeat(4097));
    wrong.put("config.region", "south");
    wrong.put("config.max_size", "huge");
    wrong.put("config.private_network", "on");

    Answer refused = ada.post(ALPHA, wrong);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("href=\"#alpha-base_url\"", "http:// is for this machine only.")
        .contains("href=\"#alpha-project\"", "on one line of at most 4,096 characters")
        .contains("href=\"#alpha-max_size\"", "Choose Largest size from the list: small,")
        .contains("href=\"#alpha-token\"", "Enter Token once more")
        .contains("value=\"http://elsewhere.example\"", "value=\"south\"", " checked")
        .contains("aria-describedby=\"alpha-base_url-hint alpha-base_url-wrong\"")
        .doesNotContain(TOKEN);
    assertThat(setting().values()).isEmpty();
  }

  @Test
  void anotherAddressAsksForTheSecretsAgain() {
    enableAlpha();

    Answer refused =
        ada.post(
            ALPHA,
            form(Map.of("config.base_url", "https://evil.example", "config.project", "mesh")));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("href=\"#alpha-token\"", "href=\"#alpha-key\"", "Enter Token again:")
        .contains("value=\"https://evil.example\"");
    assertThat(setting().values()).doesNotContainKey("base_url");
  }

  @Test
  void disablingAsksByNameAndNumberAndTellsWhoWasReset() {
    enableAlpha();
    for (String slug : List.of("tester", "builder")) {
      ada.done("/agents", Map.of("slug", slug));
      ada.done("/agents/" + slug + "/runtime", Map.of("runtime", "alpha"));
    }

    assertThat(card("alpha"))
        .contains(
            "Disable Alpha? 2 agents are pinned to it: builder, tester. They go back to the"
                + " instance default. It has no live workspace.");
    assertThat(fact(card("alpha"), "Pinned agents")).isEqualTo("2");

    assertThat(ada.done(ALPHA + "/disable", Map.of()))
        .contains(
            "disabling Alpha reset 2 agent(s) to the instance default: builder, tester."
                + " The instance default is Local.");
    assertThat(ada.page(PAGE)).doesNotContain("agent(s)");
    assertThat(ada.page("/activity?action=runtime.disabled"))
        .contains("runtime.disabled", "[\"builder\",\"tester\"]");
    assertThat(ada.page("/agents/builder"))
        .contains("the instance default")
        .doesNotContain("Change the runtime");
  }

  @Test
  void withoutARuntimeThePageSaysThatNoRunGetsAWorkspace() {
    assertThat(ada.done(PAGE + "/local/disable", Map.of()))
        .contains("disabling Local reset 0 agent(s) to the instance default.")
        .contains("No runtime is enabled now", "<strong>No runtime is enabled.</strong>")
        .contains("until you enable one.")
        .as("what is unsafe is asked before it is enabled")
        .contains("Enable Local? Unsafe for anything but");
    assertThat(vera.page(PAGE)).contains("until somebody with the role admin enables one.");
  }

  @Test
  void aTestTellsEachStepAndStaysOnRecord() {
    assertThat(card("alpha")).doesNotContain(ALPHA + "/test");
    enableAlpha();

    Answer sent = ada.post(ALPHA + "/test", Map.of());

    assertThat(sent.location()).isEqualTo(PAGE + "#test-alpha");
    assertThat(card("alpha"))
        .contains("Passed", "by ada")
        .containsSubsequence("acquire", "exec", "write", "read", "release")
        .containsPattern("<dt>exec</dt> <dd>\\d+ ms</dd>");
    assertThat(alpha.sandboxes()).isZero();
    assertThat(vera.page("/activity?action=runtime.tested")).contains("runtime.tested", "alpha");
  }

  @Test
  void aTestThatFailsTellsTheFirstErrorInWords() {
    enableAlpha();
    ada.done(ALPHA, form(Map.of("config.project", "mesh", "config.region", "nowhere")));

    ada.post(ALPHA + "/test", Map.of());

    assertThat(card("alpha"))
        .contains("Failed", "the vendor answered 503: &lt;no capacity&gt;")
        .containsPattern("<dt>acquire</dt> <dd>\\d+ ms, failed</dd>")
        .doesNotContain("<dt>release</dt>");

    ada.done(ALPHA, form(Map.of("config.project", "mesh", "config.region", "forbidden")));
    assertThat(ada.done(ALPHA + "/test", Map.of()))
        .contains("The test did not begin.", "there is no region forbidden");
    assertThat(card("alpha")).contains("its settings are refused: there is no region forbidden");
  }

  @Test
  void onlyAdminsAreOfferedAndAllowedChanges() {
    enableAlpha();

    for (Person person : List.of(olga, vera)) {
      assertThat(person.page(PAGE))
          .contains("Enabled", "Settings", "https://alpha.example", "<dd>set ")
          .doesNotContain("action=\"" + PAGE, "Configure…", "Disable", "<textarea", "Replace");
      for (String path : List.of("", "/enable", "/disable", "/clear", "/test")) {
        assertThat(person.post(ALPHA + path, Map.of("field", "key")).status())
            .as(path)
            .isEqualTo(403);
      }
    }
    assertThat(setting().enabled()).isTrue();
    assertThat(ada.postWithoutToken(ALPHA + "/disable", Map.of()).status()).isEqualTo(403);
    assertThat(setting().enabled()).isTrue();
  }

  @Test
  void aRuntimeThatThisBuildDoesNotKnowHasNoForms() {
    for (String path : List.of("", "/enable", "/disable", "/clear", "/test")) {
      assertThat(ada.post(PAGE + "/elsewhere" + path, Map.of()).status()).as(path).isEqualTo(404);
    }
  }

  @Test
  void anAgentIsPinnedWhereThereIsAChoice() {
    ada.done("/agents", Map.of("slug", "picky"));
    assertThat(olga.page("/agents/picky")).doesNotContain("Change the runtime");
    enableAlpha();

    assertThat(olga.page("/agents/picky"))
        .contains("action=\"/agents/picky/runtime\"", ">Instance default (Alpha)</option>")
        .containsSubsequence("value=\"alpha\"", "value=\"local\"");
    assertThat(vera.page("/agents/picky")).doesNotContain("Change the runtime");
    assertThat(vera.post("/agents/picky/runtime", Map.of("runtime", "local")).status())
        .isEqualTo(403);

    assertThat(olga.done("/agents/picky/runtime", Map.of("runtime", "local")))
        .contains("picky uses Local and no other runtime.", "value=\"local\" selected");
    assertThat(olga.done("/agents/picky/runtime", Map.of("runtime", "")))
        .contains("picky uses the instance default.", "That is Alpha now.");
  }

  @Test
  void aPinToWhatIsNotEnabledIsRefusedAtTheField() {
    ada.done("/agents", Map.of("slug", "late"));

    Answer refused = olga.post("/agents/late/runtime", Map.of("runtime", "alpha"));

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("href=\"#runtime\"", "id=\"runtime-wrong\"")
        .contains("Runtime alpha is not enabled: enable it under Settings, or choose another.");
    assertThat(olga.page("/agents/late")).contains("the instance default");
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void isolationIsToldInWords(Isolation isolation) {
    assertThat(RuntimeCards.words(isolation)).matches("[A-Z][a-z: ]+");
  }

  @Test
  void manyAgentsAreCountedNotListed() {
    List<String> slugs = new ArrayList<>();
    for (int i = 10; i < 35; i++) {
      slugs.add("a" + i);
    }

    assertThat(RuntimeCards.names(slugs)).startsWith("a10, a11").endsWith("a29 and 5 more");
  }

  private static void enableAlpha() {
    ada.done(
        ALPHA,
        form(
            Map.of(
                "config.token",
                TOKEN,
                "config.key",
                KEY,
                "config.project",
                "mesh",
                "enable",
                "true")));
  }

  /** As the page sends it: every field but the boxes that are not ticked. */
  private static Map<String, String> form(Map<String, String> filled) {
    Map<String, String> form = new HashMap<>();
    for (String key : List.of("token", "key", "base_url", "project", "region")) {
      form.put("config." + key, "");
    }
    form.put("config.max_size", "standard");
    form.putAll(filled);
    return form;
  }

  private static RuntimeSetting setting() {
    return mesh.bean(AgentRuntimes.class).find("alpha").orElseThrow();
  }

  private static String secret(String key) {
    return mesh.bean(AgentRuntimes.class)
        .config(new BackendName("alpha"))
        .orElseThrow()
        .config()
        .get(key);
  }

  private static String card(String name) {
    String page = ada.page(PAGE);
    int start = page.indexOf("aria-labelledby=\"title-" + name + "\"");
    int end = page.indexOf("aria-labelledby=\"title-", start + 1);
    return page.substring(start, end < 0 ? page.length() : end);
  }

  private static String fact(String card, String name) {
    return card.replaceAll("(?s).*<dt>" + name + "</dt><dd>([^<]*)<.*", "$1");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
