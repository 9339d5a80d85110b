package mesh.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import mesh.database.TestDatabase;
import mesh.settings.Api;
import mesh.settings.SettingsSlice;
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

@SpringBootTest(classes = SettingsSlice.class)
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestDatabase.ForContext.class)
class AgentApiTest {

  @Autowired MockMvc mvc;
  @Autowired JdbcClient jdbc;
  @Autowired Agents agents;

  private Api api;
  private final String slug = "agent-" + UUID.randomUUID().toString().substring(0, 8);

  @BeforeEach
  void enableOneBackend() throws Exception {
    api = new Api(mvc);
    api.put("/api/settings/agent-runtimes/plain", "{\"enabled\":true}");
    api.put("/api/settings/agent-runtimes/alpha", "{\"enabled\":false}");
  }

  @Test
  void anAgentIsCreatedWithWhatWasLeftOutByDefault() throws Exception {
    Api.Answer created = api.post("/api/agents", "{\"slug\":\"%s\"}".formatted(slug));

    assertThat(created.status()).isEqualTo(201);
    JsonNode agent = created.json();
    assertThat(agent.path("slug").stringValue()).isEqualTo(slug);
    assertThat(agent.path("name").stringValue()).isEqualTo(slug);
    assertThat(agent.path("runtime_backend").isNull()).isTrue();
    assertThat(agent.path("model").toString()).isEqualTo("{}");
    assertThat(agent.path("max_concurrent_workspaces").intValue()).isEqualTo(5);
    assertThat(agent.path("max_compute_seconds").intValue()).isEqualTo(3600);
    assertThat(api.get("/api/agents/" + slug).json()).isEqualTo(agent);
    assertThat(actions()).containsExactly("agent.created");
  }

  @Test
  void allOfItCanBeGivenAndTheModelIsKeptAsItIs() throws Exception {
    JsonNode agent =
        api.post(
                "/api/agents",
                """
                {"slug":"%s","name":"Größe 😀","runtime_backend":"plain","max_concurrent_workspaces":1,
                 "max_compute_seconds":60,"model":{"kind":"scripted","steps":[],"nested":{"list":[1,2.50,null,"a\\u0000b"]}}}
                """
                    .formatted(slug))
            .json();

    assertThat(agent.path("name").stringValue()).isEqualTo("Größe 😀");
    assertThat(agent.path("runtime_backend").stringValue()).isEqualTo("plain");
    assertThat(agent.path("model").path("nested").path("list").toString())
        .isEqualTo("[1,2.5,null,\"a\\u0000b\"]");
  }

  @Test
  void aSlugIsTakenUntilItsAgentIsDeleted() throws Exception {
    String body = "{\"slug\":\"%s\"}".formatted(slug);
    api.post("/api/agents", body);

    Api.Answer second = api.post("/api/agents", body);
    assertThat(second.status()).isEqualTo(409);
    assertThat(second.code()).isEqualTo("agent_slug_taken");

    AgentId id = agents.get(slug).id();
    assertThat(api.delete("/api/agents/" + slug).status()).isEqualTo(204);
    assertThat(api.get("/api/agents/" + slug).code()).isEqualTo("agent_unknown");
    assertThat(api.delete("/api/agents/" + slug).code()).isEqualTo("agent_unknown");
    assertThat(api.patch("/api/agents/" + slug, "{}").code()).isEqualTo("agent_unknown");
    assertThat(agents.find(id)).as("its runs still tell of it").isPresent();
    assertThat(api.post("/api/agents", body).status()).isEqualTo(201);
  }

  @Test
  void aChangeTouchesOnlyWhatItNames() throws Exception {
    api.post("/api/agents", "{\"slug\":\"%s\",\"runtime_backend\":\"plain\"}".formatted(slug));

    JsonNode renamed = api.patch("/api/agents/" + slug, "{\"name\":\"New\"}").json();
    assertThat(renamed.path("name").stringValue()).isEqualTo("New");
    assertThat(renamed.path("runtime_backend").stringValue()).isEqualTo("plain");

    JsonNode unpinned = api.patch("/api/agents/" + slug, "{\"runtime_backend\":null}").json();
    assertThat(unpinned.path("runtime_backend").isNull()).isTrue();

    api.patch("/api/agents/" + slug, "{\"name\":\"New\"}");
    assertThat(actions())
        .as("what changes nothing leaves no trace")
        .containsExactly("agent.created", "agent.updated", "agent.updated");
  }

  @Test
  void aPinToABackendThatIsNotEnabledIsRefused() throws Exception {
    api.post("/api/agents", "{\"slug\":\"%s\"}".formatted(slug));
    for (String backend : List.of("alpha", "nonsense", "NOT A NAME", "")) {
      String pin = "\"runtime_backend\":\"%s\"".formatted(backend);

      Api.Answer changed = api.patch("/api/agents/" + slug, "{%s}".formatted(pin));
      Api.Answer created = api.post("/api/agents", "{\"slug\":\"%s-2\",%s}".formatted(slug, pin));

      assertThat(changed.status()).isEqualTo(409);
      assertThat(changed.code()).isEqualTo("runtime_not_enabled");
      assertThat(created.code()).isEqualTo("runtime_not_enabled");
    }
    assertThat(agents.find(slug + "-2")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                                                  | agent_invalid     | /slug
          {"slug":"UPPER"}                                    | agent_invalid     | /slug
          {"slug":"-a"}                                       | agent_invalid     | /slug
          {"slug":"a/../b"}                                   | agent_invalid     | /slug
          {"slug":"ok","name":" "}                            | agent_invalid     | /name
          {"slug":"ok","name":"two\\nlines"}                  | agent_invalid     | /name
          {"slug":"ok","name":"nul\\u0000"}                   | agent_invalid     | /name
          {"slug":"ok","model":[]}                            | agent_invalid     | /model
          {"slug":"ok","max_concurrent_workspaces":0}         | agent_invalid     | /max_concurrent_workspaces
          {"slug":"ok","max_compute_seconds":-1}              | agent_invalid     | /max_compute_seconds
          {"slug":"ok","runtime_backend":7}                   | agent_invalid     | /runtime_backend
          {"slug":"ok","max_compute_seconds":"60"}            | arguments_invalid | /max_compute_seconds
          {"slug":"ok","nickname":"x"}                        | arguments_invalid | /nickname
          {"slug":"ok"                                        | json_malformed    |
          """)
  void whatIsNoAgentIsRefused(String body, String code, String pointer) throws Exception {
    Api.Answer answer = api.post("/api/agents", body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo(code);
    if (pointer != null) {
      assertThat(answer.json().path("pointer").stringValue()).isEqualTo(pointer);
    }
  }

  @Test
  void theSlugIsForEver() throws Exception {
    api.post("/api/agents", "{\"slug\":\"%s\"}".formatted(slug));

    assertThat(api.patch("/api/agents/" + slug, "{\"slug\":\"other\"}").code())
        .isEqualTo("arguments_invalid");
  }

  @Test
  void theListIsPagedNewestFirstAndComplete() throws Exception {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.addFirst(slug + "-" + i);
      api.post("/api/agents", "{\"slug\":\"%s\"}".formatted(made.getFirst()));
    }

    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = api.get("/api/agents?limit=2" + cursor).json();
      assertThat(page.path("agents").size()).isLessThanOrEqualTo(2);
      page.path("agents").forEach(agent -> seen.add(agent.path("slug").stringValue()));
      cursor = page.path("next").isNull() ? "" : "&cursor=" + page.path("next").stringValue();
    } while (!cursor.isEmpty());

    assertThat(seen).doesNotHaveDuplicates().startsWith(made.toArray(new String[0]));
  }

  private List<String> actions() {
    return jdbc.sql(
            """
            select action
              from activity
             where agent_id = (select id from runtime_agents where slug = :slug and deleted_at is null)
             order by id
            """)
        .param("slug", slug)
        .query((row, number) -> row.getString(1))
        .list();
  }
}
