package mesh.settings;

import static mesh.settings.FakeRuntimeCatalog.ALPHA;
import static mesh.settings.FakeRuntimeCatalog.BETA;
import static mesh.settings.FakeRuntimeCatalog.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mesh.activity.ActorId;
import mesh.agent.AgentDraft;
import mesh.agent.Agents;
import mesh.database.TestDatabase;
import mesh.secret.SealBroken;
import mesh.web.Problem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@SpringBootTest(classes = SettingsSlice.class)
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestDatabase.ForContext.class)
class AgentRuntimesTest {

  private static final String CANARY = "canary-5f1d-token";

  @Autowired MockMvc mvc;
  @Autowired JdbcClient jdbc;
  @Autowired AgentRuntimes runtimes;
  @Autowired RuntimeRepository rows;
  @Autowired Agents agents;
  @Autowired FakeRuntimeCatalog catalog;

  private Api api;
  private long firstEntry;

  @BeforeEach
  void forgetAll() {
    api = new Api(mvc);
    jdbc.sql("delete from execution_backends").update();
    jdbc.sql("update runtime_agents set runtime_backend = null").update();
    firstEntry = jdbc.sql("select coalesce(max(id), 0) from activity").query(Long.class).single();
  }

  @Nested
  class TheList {

    @Test
    void showsEveryBackendInCatalogOrderWithItsForm() throws Exception {
      JsonNode all = api.get("/api/settings/agent-runtimes").json().path("runtimes");

      assertThat(all.valueStream().map(it -> it.path("name").stringValue()))
          .containsExactly("alpha", "beta", "plain");
      JsonNode alpha = all.get(0);
      assertThat(alpha.path("title").stringValue()).isEqualTo("Alpha");
      assertThat(alpha.path("isolation").stringValue()).isEqualTo("microvm");
      assertThat(alpha.path("enabled").booleanValue()).isFalse();
      assertThat(alpha.path("configured").booleanValue()).isFalse();
      assertThat(alpha.path("default").booleanValue()).isFalse();
      assertThat(alpha.path("max_size").stringValue()).isEqualTo("small");
      assertThat(alpha.path("fields").valueStream().map(it -> it.path("type").stringValue()))
          .containsExactly("secret", "address", "text", "choice", "toggle");
      assertThat(alpha.path("fields").get(3).path("options").toString())
          .isEqualTo("[\"small\",\"large\"]");
      assertThat(alpha.path("config").toString())
          .isEqualTo(
              "{\"token\":{\"set\":false},\"base_url\":null,\"region\":null,\"max_size\":null,\"private_network\":null}");
      assertThat(alpha.path("capabilities").toString()).isEqualTo("[\"shell\"]");
      assertThat(alpha.path("missing").toString())
          .isEqualTo("[{\"capability\":\"egress_control\",\"without_it\":\"Not restricted.\"}]");
      assertThat(all.get(1).path("warning").stringValue()).isEqualTo("Beware.");
      assertThat(all.get(2).path("max_size").isNull()).isTrue();
    }

    @Test
    void namesTheFirstEnabledOneAsTheDefault() throws Exception {
      save("plain", "{\"enabled\":true}");
      save("beta", "{\"enabled\":true,\"config\":{\"namespace\":\"n\"}}");

      JsonNode all = api.get("/api/settings/agent-runtimes").json().path("runtimes");

      assertThat(all.valueStream().map(it -> it.path("default").booleanValue()))
          .containsExactly(false, true, false);
      assertThat(runtimes.enabled().stream().map(EnabledRuntime::name))
          .containsExactly(BETA, PLAIN);
    }

    @Test
    void tellsCapabilitiesUnderTheConfigurationThereIs() throws Exception {
      JsonNode runtime = save("alpha", "{\"config\":{\"private_network\":true}}").json();

      assertThat(runtime.path("runtime").path("capabilities").toString())
          .contains("egress_control");
      assertThat(runtime.path("runtime").path("config").path("private_network").booleanValue())
          .isTrue();
    }
  }

  @Nested
  class Secrets {

    @Test
    void areWriteOnlyAndEncrypted() throws Exception {
      Api.Answer saved = save("alpha", enabledWithToken(CANARY));

      assertThat(saved.status()).isEqualTo(200);
      assertThat(saved.json().path("runtime").path("config").path("token").toString())
          .isEqualTo("{\"set\":true,\"set_at\":\"2026-05-01T12:00:00Z\"}");
      String base64 = Base64.getEncoder().encodeToString(CANARY.getBytes(StandardCharsets.UTF_8));
      assertThat(
              saved.body()
                  + api.get("/api/settings/agent-runtimes").body()
                  + dump("execution_backends")
                  + dump("activity"))
          .doesNotContain(CANARY, base64);
      assertThat(runtimes.config(ALPHA).orElseThrow().config().get("token")).isEqualTo(CANARY);
      assertThat(runtimes.config(ALPHA).orElseThrow()).asString().doesNotContain(CANARY);
    }

    @Test
    void stayWhenLeftOutAndGoWhenNull() throws Exception {
      save("alpha", enabledWithToken(CANARY));

      save("alpha", "{\"config\":{\"region\":\"south\"}}");
      assertThat(runtimes.config(ALPHA).orElseThrow().config().get("token")).isEqualTo(CANARY);

      Api.Answer cleared = save("alpha", "{\"enabled\":false,\"config\":{\"token\":null}}");
      assertThat(cleared.json().path("runtime").path("config").path("token").toString())
          .isEqualTo("{\"set\":false}");
      assertThat(runtimes.config(ALPHA).orElseThrow().config().find("token")).isEmpty();
    }

    @Test
    void areNeverSentToAnotherAddressThanTheyWereEnteredFor() throws Exception {
      save("alpha", enabledWithToken(CANARY));
      String elsewhere = "\"base_url\":\"https://elsewhere.example\"";

      for (String enabled : List.of("true", "false")) {
        Api.Answer moved =
            save("alpha", "{\"enabled\":%s,\"config\":{%s}}".formatted(enabled, elsewhere));
        assertThat(moved.status()).isEqualTo(400);
        assertThat(moved.code()).isEqualTo("runtime_secret_required");
        assertThat(moved.json().path("fields").toString()).isEqualTo("[\"token\"]");
      }
      assertThat(runtimes.config(ALPHA).orElseThrow().config().get("base_url"))
          .isEqualTo("https://alpha.example");

      assertThat(
              save("alpha", "{\"config\":{\"token\":\"fresh\",%s}}".formatted(elsewhere)).status())
          .isEqualTo(200);
      assertThat(runtimes.config(ALPHA).orElseThrow().config().get("token")).isEqualTo("fresh");
      assertThat(save("alpha", "{\"config\":{\"base_url\":null}}").code())
          .isEqualTo("runtime_secret_required");
    }

    @Test
    void doNotOpenAfterAHandChangedTheAddressInTheDatabase() throws Exception {
      save("alpha", enabledWithToken(CANARY));
      jdbc.sql(
              """
              update execution_backends
                 set config = cast('{"base_url":"https://attacker.example"}' as json)
              """)
          .update();

      assertThatThrownBy(() -> runtimes.config(ALPHA)).isInstanceOf(SealBroken.class);
      assertThat(save("alpha", "{\"enabled\":false}").status())
          .as("disabling is never held up")
          .isEqualTo(200);
    }
  }

  @Nested
  class Validation {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        textBlock =
            """
            {"nonsense":"x"}                                   | runtime_config_unknown_field
            {"region":7}                                       | runtime_config_invalid
            {"region":""}                                      | runtime_config_invalid
            {"region":"two\\nlines"}                           | runtime_config_invalid
            {"max_size":"huge"}                                | runtime_config_invalid
            {"private_network":"true"}                         | runtime_config_invalid
            {"token":""}                                       | runtime_config_invalid
            {"token":{"set":true}}                             | runtime_config_invalid
            {"token":"a\\u0000b"}                              | runtime_config_invalid
            """)
    void refusesWhatIsNoValueForItsField(String config, String code) throws Exception {
      Api.Answer answer = save("alpha", "{\"config\":%s}".formatted(config));

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo(code);
      assertThat(answer.json().path("field").stringValue()).isNotEmpty();
      assertThat(rows.find("alpha")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "alpha.example",
          "ftp://alpha.example",
          "file:///etc/passwd",
          "https://",
          "https://user:pass@alpha.example",
          "https://alpha.example/?a=b",
          "https://alpha.example/#part",
          "http://alpha.example",
          "http://10.0.0.1",
          "http://169.254.169.254",
          "http://0x7f.1",
          "http://localhost.evil.example",
          "http://127.0.0.1.evil.example",
          "https://a b"
        })
    void refusesAddressesThatWouldLeakASecret(String address) throws Exception {
      Api.Answer answer = save("alpha", "{\"config\":{\"base_url\":\"%s\"}}".formatted(address));

      assertThat(answer.code()).isEqualTo("runtime_config_invalid");
      assertThat(answer.json().path("field").stringValue()).isEqualTo("base_url");
    }

    @Test
    void everyFieldThatIsWrongIsNamed() throws Exception {
      Api.Answer answer =
          save("alpha", "{\"config\":{\"region\":\"\",\"max_size\":\"huge\",\"token\":\"t\"}}");

      assertThat(answer.json().path("field").stringValue()).isEqualTo("region");
      assertThat(answer.json().path("invalid").propertyNames())
          .containsExactlyInAnyOrder("region", "max_size");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "https://alpha.example",
          "https://alpha.example:8443/v1/",
          "http://127.0.0.1:8080",
          "http://localhost:1",
          "http://[::1]:80"
        })
    void takesAddressesInTheOpenOnlyOnThisMachine(String address) throws Exception {
      Api.Answer answer = save("alpha", "{\"config\":{\"base_url\":\"%s\"}}".formatted(address));

      assertThat(answer.json().path("runtime").path("config").path("base_url").stringValue())
          .isEqualTo(address.replaceFirst("/$", ""));
    }

    @Test
    void enablesNothingIncomplete() throws Exception {
      Api.Answer answer = save("alpha", "{\"enabled\":true}");

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("runtime_config_incomplete");
      assertThat(answer.json().path("field").stringValue()).isEqualTo("token");
      save("alpha", enabledWithToken("t"));
      assertThat(save("alpha", "{\"config\":{\"token\":null}}").code())
          .isEqualTo("runtime_config_incomplete");
      assertThat(save("beta", "{\"enabled\":true}").json().path("field").stringValue())
          .isEqualTo("namespace");
    }

    @Test
    void knowsOnlyTheCatalog() throws Exception {
      Api.Answer answer = save("gamma", "{\"enabled\":true}");

      assertThat(answer.status()).isEqualTo(404);
      assertThat(answer.code()).isEqualTo("runtime_unknown");
      assertThat(save("alpha", "{\"enable\":true}").code()).isEqualTo("arguments_invalid");
      assertThat(save("alpha", "{\"enabled\":\"yes\"}").code()).isEqualTo("arguments_invalid");
    }
  }

  @Nested
  class EnablingAndDisabling {

    @Test
    void areInTheAuditAndGrowTheRevision() throws Exception {
      save("alpha", enabledWithToken("t"));
      save("alpha", "{\"config\":{\"region\":\"south\"}}");
      save("alpha", "{\"config\":{\"region\":\"south\"}}");
      save("alpha", "{\"enabled\":false}");

      assertThat(actions())
          .containsExactly("runtime.enabled", "runtime.configured", "runtime.disabled");
      assertThat(rows.find("alpha").orElseThrow().revision()).isEqualTo(3);
      assertThat(dump("activity")).contains("\"token\":{\"set\":true}", "\"entered\":[\"token\"]");
    }

    @Test
    void aDisabledBackendStillHasItsConfigurationForReleases() throws Exception {
      save("alpha", enabledWithToken("t"));
      save("alpha", "{\"enabled\":false}");

      ConfiguredRuntime retained = runtimes.config(ALPHA).orElseThrow();

      assertThat(retained.enabled()).isFalse();
      assertThat(retained.config().get("token")).isEqualTo("t");
      assertThat(retained.config().get("region")).as("a fallback").isEqualTo("north");
      assertThat(runtimes.enabled()).isEmpty();
      assertThat(runtimes.config(BETA)).isEmpty();
    }

    @Test
    void disablingEndsThePinsAndSaysWhose() throws Exception {
      save("plain", "{\"enabled\":true}");
      for (String slug : List.of("pinned-b", "pinned-a")) {
        agents.create(AgentDraft.of(slug).pinnedTo("plain"), ActorId.SYSTEM);
      }
      agents.create(AgentDraft.of("free"), ActorId.SYSTEM);

      Api.Answer disabled = save("plain", "{\"enabled\":false}");

      assertThat(disabled.json().path("reset_agents").toString())
          .isEqualTo("[\"pinned-a\",\"pinned-b\"]");
      assertThat(agents.get("pinned-a").runtimeBackend()).isNull();
      assertThat(actions()).contains("agent.unpinned").endsWith("runtime.disabled");
      assertThat(dump("activity")).contains("\"reset_agents\":[\"pinned-a\",\"pinned-b\"]");
    }

    @Test
    void noAgentIsEverLeftPinnedToADisabledBackend() throws Exception {
      agents.create(AgentDraft.of("racer"), ActorId.SYSTEM);
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int round = 0; round < 40; round++) {
          save("plain", "{\"enabled\":true}");
          List<Callable<Object>> race =
              List.of(
                  () -> agents.update("racer", draft -> draft.pinnedTo("plain"), ActorId.SYSTEM),
                  () -> runtimes.save("plain", new RuntimeChange(false, Map.of()), ActorId.SYSTEM));
          for (Future<Object> outcome : threads.invokeAll(race)) {
            try {
              outcome.get();
            } catch (java.util.concurrent.ExecutionException e) {
              assertThat(e.getCause())
                  .isInstanceOfSatisfying(
                      Problem.class,
                      problem -> assertThat(problem.code()).isEqualTo("runtime_not_enabled"));
            }
          }
          assertThat(agents.get("racer").runtimeBackend()).isNull();
        }
      }
    }
  }

  @Nested
  class TheFirstStart {

    @Test
    void enablesWhatNeedsNoConfigurationOnceForAll() throws Exception {
      start(Map.of());
      assertThat(runtimes.enabled().stream().map(EnabledRuntime::name)).containsExactly(PLAIN);
      assertThat(actions()).containsExactly("runtime.enabled");

      save("plain", "{\"enabled\":false}");
      start(Map.of());

      assertThat(runtimes.enabled()).as("an operator's word stands").isEmpty();
    }

    @Test
    void claimsFromTheEnvironmentOnceAndThenTheRowWins() {
      start(Map.of("TEST_ALPHA_TOKEN", "first "));
      start(Map.of("TEST_ALPHA_TOKEN", "second"));

      assertThat(runtimes.config(ALPHA).orElseThrow().config().get("token")).isEqualTo("first");
      assertThat(runtimes.enabled().stream().map(EnabledRuntime::name))
          .containsExactly(ALPHA, PLAIN);
    }

    @Test
    void claimsALaterBackendToo() {
      start(Map.of());
      start(Map.of("TEST_BETA_KEY", "k", "TEST_BETA_NAMESPACE", "n"));

      assertThat(runtimes.config(BETA).orElseThrow().config().values())
          .isEqualTo(Map.of("key", "k", "namespace", "n"));
    }

    @Test
    void needsAllOfAClaim() {
      start(Map.of("TEST_BETA_KEY", "k", "TEST_BETA_NAMESPACE", " "));
      start(Map.of("TEST_BETA_NAMESPACE", "n"));

      assertThat(rows.find("beta")).isEmpty();
    }

    @Test
    void aClaimThatIsNotValidIsLeftAlone() {
      start(Map.of("TEST_BETA_KEY", "k", "TEST_BETA_NAMESPACE", "two\nlines"));

      assertThat(rows.find("beta")).isEmpty();
    }

    private void start(Map<String, String> variables) {
      MockEnvironment environment = new MockEnvironment();
      variables.forEach(environment::setProperty);
      new RuntimeStart(catalog, rows, runtimes, environment).afterSingletonsInstantiated();
    }
  }

  @Test
  void whatIsStoredIsShownToTheKeyring() throws Exception {
    save("alpha", enabledWithToken("t"));

    assertThat(new StoredSecrets(rows).stored()).hasSize(1);
  }

  private Api.Answer save(String name, String body) throws Exception {
    return api.put("/api/settings/agent-runtimes/" + name, body);
  }

  private static String enabledWithToken(String token) {
    return "{\"enabled\":true,\"config\":{\"token\":\"%s\"}}".formatted(token);
  }

  private List<String> actions() {
    return new ArrayList<>(
        jdbc.sql("select action from activity where id > :first order by id")
            .param("first", firstEntry)
            .query((row, number) -> row.getString(1))
            .list());
  }

  private String dump(String table) {
    return String.join(
            "\n",
            Set.copyOf(
                jdbc.sql("select cast(%s as text) from %s".formatted(table, table))
                    .query((row, number) -> row.getString(1))
                    .list()))
        .replace("\"\"", "\"");
  }
}
