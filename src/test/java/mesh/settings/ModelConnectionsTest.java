package mesh.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import mesh.Canaries;
import mesh.database.TestDatabase;
import mesh.inference.Connection;
import mesh.inference.Connections;
import mesh.inference.ModelTrial;
import mesh.inference.Reply.Usage;
import mesh.secret.SealBroken;
import mesh.secret.Secret;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** HRN-5: models are configured in the database. */
@SpringBootTest(classes = SettingsSlice.class)
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestDatabase.ForContext.class)
class ModelConnectionsTest {

  private static final String PATH = "/api/settings/models";
  private static final String MAIN = PATH + "/main";

  @Autowired MockMvc mvc;
  @Autowired JdbcClient jdbc;
  @Autowired Connections connections;
  @Autowired FakeModelTrials trials;

  private Api api;
  private final String key = Canaries.fresh("sk-");

  @BeforeEach
  void forgetAll() {
    api = new Api(mvc);
    jdbc.sql("update runtime_agents set model_connection = null, model = '{}'").update();
    jdbc.sql("delete from model_connections").update();
  }

  private JsonNode make() throws Exception {
    var made = api.put(MAIN, "{\"wire\":\"anthropic\",\"key\":\"%s\"}".formatted(key));
    assertThat(made.status()).as(made.body()).isEqualTo(200);
    return made.json();
  }

  private Secret opened() {
    return connections.find("main").map(Connection::key).orElseThrow();
  }

  private List<String> actions() {
    return jdbc.sql(
            """
            select action from activity
             where connection = 'main' and id > (select coalesce(max(id), 0) from activity where action = 'test.begun')
             order by id
            """)
        .query((row, number) -> row.getString("action"))
        .list();
  }

  @Test
  void aConnectionIsMadeAtTheServicesOwnAddress() throws Exception {
    var made = make();

    assertThat(made.path("wire").stringValue()).isEqualTo("anthropic");
    assertThat(made.path("base_url").stringValue()).isEqualTo("https://api.anthropic.com");
    assertThat(made.path("allow_private").booleanValue()).isFalse();
    assertThat(made.path("prices").isEmpty()).isTrue();
    assertThat(made.path("agents").isEmpty()).isTrue();
    assertThat(api.get(PATH).json().path("connections").get(0)).isEqualTo(made);
    assertThat(
            api.put(PATH + "/other", "{\"wire\":\"openai\"}").json().path("base_url").stringValue())
        .isEqualTo("https://api.openai.com/v1");
  }

  /** CRD-2. */
  @Test
  void aKeyGoesInAndComesBackNowhereButToTheModels() throws Exception {
    var made = make();

    assertThat(made.path("key").path("set").booleanValue()).isTrue();
    assertThat(made.path("key").path("at").isString()).isTrue();
    assertThat(made.path("key").path("by").stringValue()).isNotEmpty();
    assertThat(opened().reveal()).isEqualTo(key);
    assertThat(made.toString() + api.get(PATH).body() + api.get("/api/activity").body())
        .doesNotContain(key);
    assertThat(
            jdbc.sql(
                    "select coalesce(string_agg(c::text, ' '), '') from (select to_json(m) as c from model_connections m union all select to_json(v) from activity v) as everything")
                .query(String.class)
                .single())
        .contains("model_connection.created")
        .doesNotContain(key);
  }

  @Test
  void aKeyStaysUntilItIsReplacedOrCleared() throws Exception {
    make();

    api.put(MAIN, "{\"prices\":[]}");
    assertThat(opened().reveal()).isEqualTo(key);

    var other = Canaries.fresh("sk-");
    api.put(MAIN, "{\"key\":\" %s\\n\"}".formatted(other));
    assertThat(opened().reveal()).isEqualTo(other);

    var cleared = api.put(MAIN, "{\"key\":null}").json();
    assertThat(cleared.path("key").toString()).isEqualTo("{\"set\":false,\"at\":null,\"by\":null}");
    assertThat(connections.find("main").orElseThrow().key()).isNull();
  }

  /** Nobody gets a key by pointing its connection at a server of their own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'base_url':'https://thief.example'}",
        "{'base_url':'https://api.anthropic.com:8443'}",
        "{'base_url':'https://api.anthropic.com/proxy'}",
        "{'base_url':'http://127.0.0.1:9999','allow_private':true}",
        "{'wire':'openai'}"
      })
  void aKeyIsOnlyEverSentWhereItWasEnteredFor(String change) throws Exception {
    make();

    var refused = api.put(MAIN, change.replace('\'', '"'));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("model_key_required");
    assertThat(refused.json().path("detail").stringValue())
        .contains("only ever sent to https://api.anthropic.com");
    var still = connections.find("main").orElseThrow();
    assertThat(still.baseUrl()).hasToString("https://api.anthropic.com");
    assertThat(still.wire()).isEqualTo(Connection.Wire.ANTHROPIC);
  }

  @Test
  void withAnotherKeyOrNoneItMayMove() throws Exception {
    make();
    var other = Canaries.fresh("sk-");

    var moved =
        api.put(
            MAIN, "{\"base_url\":\"https://gateway.example/\",\"key\":\"%s\"}".formatted(other));
    assertThat(moved.json().path("base_url").stringValue()).isEqualTo("https://gateway.example");
    assertThat(opened().reveal()).isEqualTo(other);

    assertThat(api.put(MAIN, "{\"base_url\":null,\"key\":null}").status()).isEqualTo(200);
    assertThat(connections.find("main").orElseThrow().key()).isNull();
  }

  /** Whoever writes to the database gains nothing either. */
  @Test
  void aKeyWhoseAddressWasChangedInTheDatabaseDoesNotOpen() throws Exception {
    make();

    jdbc.sql("update model_connections set base_url = 'https://thief.example'").update();

    assertThatExceptionOfType(SealBroken.class).isThrownBy(() -> connections.find("main"));
    var tested = api.post(MAIN + "/test", "{\"model\":\"m\"}").json();
    assertThat(tested.path("ok").booleanValue()).isFalse();
    assertThat(tested.path("error").stringValue()).contains("enter it again");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                                                            | /wire     | anthropic or openai",
        "{'wire':'gopher'}                                             | /wire     | anthropic or openai",
        "{'wire':'openai','base_url':'http://api.example.com'}         | /base_url | unencrypted",
        "{'wire':'openai','base_url':'https://u:p@api.example.com'}    | /base_url | user",
        "{'wire':'openai','base_url':'https://api.example.com?x=1'}    | /base_url | query",
        "{'wire':'openai','base_url':'https://127.0.0.1:11434/v1'}     | /base_url | Allow private",
        "{'wire':'openai','base_url':'https://169.254.169.254','allow_private':true} | /base_url | never connects",
        "{'wire':'openai','base_url':'https://localhost:9999/v1'}         | /base_url | Allow private",
        "{'wire':'openai','base_url':7}                                | /base_url | must begin",
        "{'wire':'openai','key':'two words'}                           | /key      | visible ASCII",
        "{'wire':'openai','key':''}                                    | /key      | visible ASCII",
        "{'wire':'openai','prices':{}}                                 | /prices   | list",
        "{'wire':'openai','prices':[{'model':'m','input':1}]}          | /prices   | output",
        "{'wire':'openai','prices':[{'model':'m','input':-1,'output':1}]} | /prices | from 0",
        "{'wire':'openai','prices':[{'model':'m','input':1e999999,'output':1}]} | /prices | as numbers",
        "{'wire':'openai','prices':[{'model':'m','input':0.0000001,'output':1}]} | /prices | six decimals",
        "{'wire':'openai','prices':[{'model':'m','input':1,'output':1},{'model':'m','input':1,'output':1}]} | /prices | two prices"
      })
  void whatIsWrongIsToldAtItsField(String body, String pointer, String sentence) throws Exception {
    var refused = api.put(MAIN, body.replace('\'', '"'));

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("model_connection_invalid");
    assertThat(refused.json().path("pointer").stringValue()).isEqualTo(pointer);
    assertThat(refused.json().path("detail").stringValue()).contains(sentence);
    assertThat(api.get(PATH).json().path("connections").isEmpty()).isTrue();
  }

  @Test
  void aNameIsForAddresses() throws Exception {
    assertThat(api.put(PATH + "/UPPER", "{\"wire\":\"openai\"}").code())
        .isEqualTo("model_connection_invalid");
    assertThat(api.put(MAIN, "{\"wire\":\"openai\",\"kex\":\"x\"}").code())
        .isEqualTo("arguments_invalid");
  }

  @Test
  void aLocalServerIsReachedOnceThatIsAllowed() throws Exception {
    var made =
        api.put(
            MAIN,
            "{\"wire\":\"openai\",\"base_url\":\"http://localhost:11434/v1/\",\"allow_private\":true}");

    assertThat(made.status()).as(made.body()).isEqualTo(200);
    assertThat(made.json().path("base_url").stringValue()).isEqualTo("http://localhost:11434/v1");
    assertThat(api.put(MAIN, "{\"allow_private\":false}").json().path("pointer").stringValue())
        .isEqualTo("/base_url");
  }

  @Test
  void pricesAreCountedInMillionths() throws Exception {
    var made =
        api.put(
                MAIN,
                """
                {"wire":"openai","prices":[{"model":"big","input":2.50,"cached_input":0.25,"output":10},
                 {"model":"small","input":0.000001,"output":0}]}
                """)
            .json();

    assertThat(made.path("prices").toString())
        .isEqualTo(
            "[{\"model\":\"big\",\"input\":2.5,\"cached_input\":0.25,\"output\":10},{\"model\":\"small\",\"input\":1.0E-6,\"cached_input\":1.0E-6,\"output\":0}]");
    assertThat(connections.find("main").orElseThrow().prices())
        .containsExactly(
            new Connection.Price("big", 2_500_000, 250_000, 10_000_000),
            new Connection.Price("small", 1, 1, 0));
  }

  @Test
  void aConnectionThatAgentsUseIsNotDeleted() throws Exception {
    make();
    var slug = "user-" + UUID.randomUUID().toString().substring(0, 8);
    api.post(
        "/api/agents",
        "{\"slug\":\"%s\",\"model\":{\"connection\":\"main\",\"model\":\"m\"}}".formatted(slug));
    assertThat(api.get(PATH).json().path("connections").get(0).path("agents").get(0).stringValue())
        .isEqualTo(slug);

    var refused = api.delete(MAIN);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("model_connection_used");
    assertThat(refused.json().path("agents").get(0).stringValue()).isEqualTo(slug);

    assertThat(api.delete("/api/agents/" + slug).status()).isEqualTo(204);
    assertThat(api.delete(MAIN).status()).isEqualTo(204);
    assertThat(api.delete(MAIN).code()).isEqualTo("model_connection_unknown");
  }

  @Test
  void everyChangeIsInTheActivityAndWhatChangesNothingIsNot() throws Exception {
    jdbc.sql(
            "insert into activity (actor_id, action) values ('00000000-0000-0000-0000-000000000001', 'test.begun')")
        .update();
    make();
    api.put(MAIN, "{\"wire\":\"anthropic\"}");
    api.put(MAIN, "{\"allow_private\":true}");
    api.post(MAIN + "/test", "{\"model\":\"m\"}");
    api.delete(MAIN);

    assertThat(actions())
        .containsExactly(
            "model_connection.created",
            "model_connection.changed",
            "model_connection.tested",
            "model_connection.deleted");
  }

  @Test
  void aTestSaysHowItWent() throws Exception {
    make();
    trials.answer(
        new ModelTrial(true, Duration.ofMillis(431), "It replied.", new Usage(20, 0, 3, 105)));

    var good = api.post(MAIN + "/test", "{\"model\":\"m\"}").json();
    assertThat(good.toString())
        .isEqualTo(
            "{\"ok\":true,\"ms\":431,\"usage\":{\"input\":20,\"cached_input\":0,\"output\":3,\"cost_micros\":105},\"error\":null}");
    assertThat(trials.asked().getLast().key()).isEqualTo(Secret.of(key));

    trials.answer(new ModelTrial(false, Duration.ofMillis(5), "The key is wrong.", Usage.NONE));
    assertThat(api.post(MAIN + "/test", "{\"model\":\"m\"}").json().path("error").stringValue())
        .isEqualTo("The key is wrong.");
    assertThat(api.post(MAIN + "/test", "{\"model\":\" \"}").code())
        .isEqualTo("model_name_invalid");
    assertThat(api.post(PATH + "/none/test", "{\"model\":\"m\"}").code())
        .isEqualTo("model_connection_unknown");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'connection':'none','model':'m'}                      | /model/connection",
        "{'connection':7,'model':'m'}                           | /model/connection",
        "{'model':'m'}                                          | /model/connection",
        "{'connection':'main'}                                  | /model/model",
        "{'connection':'main','model':' '}                      | /model/model",
        "{'connection':'main','model':'m','kind':'other'}       | /model/kind",
        "{'connection':'main','model':'m','provider':'x'}       | /model/provider",
        "{'connection':'main','model':'m','a/b~':'x'}           | /model/a~1b~0",
        "{'connection':'main','model':'m','max_steps':0}        | /model/max_steps",
        "{'connection':'main','model':'m','max_steps':10001}    | /model/max_steps",
        "{'connection':'main','model':'m','max_steps':'7'}      | /model/max_steps",
        "{'connection':'main','model':'m','max_steps':1.5}      | /model/max_steps",
        "{'connection':'main','model':'m','max_tokens':999}     | /model/max_tokens",
        "{'connection':'main','model':'m','max_tokens':1000000001} | /model/max_tokens",
        "{'connection':'main','model':'m','max_seconds':0}      | /model/max_seconds",
        "{'connection':'main','model':'m','max_seconds':604801} | /model/max_seconds",
        "{'connection':'main','model':'m','max_seconds':99999999999999999999} | /model/max_seconds",
        "{'connection':'main','model':'m','context_tokens':0}   | /model/context_tokens",
        "{'connection':'main','model':'m','context_tokens':2000,'reply_tokens':2000} | /model",
        "{'connection':'main','model':'m','instructions':7}     | /model/instructions",
        "{'connection':'main','model':'m','instructions':'a\\u0000b'} | /model/instructions",
        "{'connection':'main','model':'m','temperature':3}      | /model",
        "{'kind':'scripted'}                                    | /model",
        "{'kind':'scripted','steps':[],'max_steps':0}           | /model/max_steps",
        "{'instructions':'x'}                                   | /model/connection"
      })
  void anAgentsModelIsCheckedWhenItIsSaved(String model, String pointer) throws Exception {
    make();
    var body =
        "{\"slug\":\"%s\",\"model\":%s}"
            .formatted(
                "x" + UUID.randomUUID().toString().substring(0, 8), model.replace('\'', '"'));

    var refused = api.post("/api/agents", body);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("agent_invalid");
    assertThat(refused.json().path("pointer").stringValue()).isEqualTo(pointer);
  }

  @Test
  void anAgentsModelMayUseEveryFieldToItsLimits() throws Exception {
    make();
    var slug = "full-" + UUID.randomUUID().toString().substring(0, 8);
    var model =
        """
        {"connection":"main","model":"m","instructions":"%s","context_tokens":200000,"reply_tokens":8192,
         "temperature":0.2,"max_steps":10000,"max_tokens":1000000000,"max_seconds":604800}
        """
            .formatted("i".repeat(32_000));

    var made = api.post("/api/agents", "{\"slug\":\"%s\",\"model\":%s}".formatted(slug, model));

    assertThat(made.status()).as(made.body()).isEqualTo(201);
    var longer = model.replace("\"instructions\":\"", "\"instructions\":\"i");
    assertThat(
            api.patch("/api/agents/" + slug, "{\"model\":%s}".formatted(longer))
                .json()
                .path("pointer")
                .stringValue())
        .isEqualTo("/model/instructions");
    assertThat(api.patch("/api/agents/" + slug, "{\"model\":{}}").status()).isEqualTo(200);
    assertThat(api.delete(MAIN).status()).isEqualTo(204);
  }
}
