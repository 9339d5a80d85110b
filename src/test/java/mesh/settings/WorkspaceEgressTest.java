package mesh.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@SpringBootTest(
    classes = SettingsSlice.class,
    properties = "mesh.public-url=https://Mesh.example.org:8443")
@AutoConfigureMockMvc
@ContextConfiguration(initializers = TestDatabase.ForContext.class)
class WorkspaceEgressTest {

  private static final String PATH = "/api/settings/workspace-egress";

  @Autowired MockMvc mvc;
  @Autowired JdbcClient jdbc;
  @Autowired WorkspaceEgress egress;

  private Api api;

  @BeforeEach
  void forgetAll() {
    api = new Api(mvc);
    jdbc.sql("delete from settings").update();
    jdbc.sql("delete from execution_backends").update();
  }

  private Api.Answer save(String body) throws Exception {
    return api.put(PATH, body);
  }

  private void store(String value) {
    jdbc.sql(
            """
            insert into settings (name, value) values ('workspace_egress', cast(:value as json))
            """)
        .param("value", value)
        .update();
  }

  private long entries() {
    return jdbc.sql("select count(*) from activity where action = 'egress.changed'")
        .query(Long.class)
        .single();
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::stringValue).toList();
  }

  /** EGR-1. */
  @Test
  void withoutASavedPolicyEverythingIsOpen() throws Exception {
    JsonNode seen = api.get(PATH).json();

    assertThat(seen.path("mode").stringValue()).isEqualTo("open");
    assertThat(seen.path("domains").isEmpty()).isTrue();
    assertThat(seen.path("uncontrolled").stringValue()).isEqualTo("refuse");
    assertThat(texts(seen.path("builtin_domains"))).contains("github.com", "*.debian.org");
    assertThat(egress.current()).isEqualTo(EgressSetting.OPEN);
  }

  /** EGR-2 and EGR-3. */
  @Test
  void theEffectiveListIsBuiltInPlusOwnPlusMeshItself() throws Exception {
    JsonNode saved =
        save("""
        {"mode":"allowlist","domains":["Example.COM."," example.com ","*.b.test"],
         "uncontrolled":"allow"}
        """)
            .json();

    assertThat(texts(saved.path("domains"))).containsExactly("*.b.test", "example.com");
    assertThat(saved.path("broker_host").stringValue()).isEqualTo("mesh.example.org");
    assertThat(texts(saved.path("effective_domains")))
        .containsAll(texts(saved.path("builtin_domains")))
        .contains("*.b.test", "example.com", "mesh.example.org")
        .hasSize(texts(saved.path("builtin_domains")).size() + 3)
        .isSorted();
    assertThat(api.get(PATH).json()).isEqualTo(saved);
    assertThat(egress.current().uncontrolled()).isEqualTo(Uncontrolled.ALLOW);
  }

  @Test
  void whichRuntimesCanKeepAListIsSaid() throws Exception {
    api.put(
        "/api/settings/agent-runtimes/alpha",
        "{\"enabled\":true,\"config\":{\"token\":\"t\",\"private_network\":true}}");

    JsonNode seen = api.get(PATH).json().path("backends");

    assertThat(seen.get(0).toString())
        .isEqualTo(
            "{\"name\":\"alpha\",\"enabled\":true,\"controls_egress\":true,\"grade\":\"sni\",\"stays_open\":\"DNS stays open.\"}");
    assertThat(seen.get(1).path("controls_egress").booleanValue()).isFalse();
    assertThat(seen.get(1).path("grade").isNull()).isTrue();
  }

  @Test
  void theModeMustBeSaid() throws Exception {
    var refused = save("{\"domains\":[\"example.com\"]}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("egress_mode_required");
    assertThat(save("{\"mode\":null}").code()).isEqualTo("egress_mode_required");
    assertThat(save("{\"mode\":\"closed\"}").code()).isEqualTo("egress_policy_invalid");
    assertThat(save("{\"mode\":\"open\",\"uncontrolled\":\"maybe\"}").code())
        .isEqualTo("egress_policy_invalid");
    assertThat(save("{\"mode\":\"open\",\"domain\":[]}").status()).isEqualTo(400);
    assertThat(egress.current()).isEqualTo(EgressSetting.OPEN);
  }

  /** Case 80: all of them are named, so that one round of mending is enough. */
  @Test
  void everyBadEntryIsNamed() throws Exception {
    var refused =
        save(
            "{\"mode\":\"allowlist\",\"domains\":[\"fine.test\",\"example.com:443\",null,\"127.1\"]}");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("egress_domain_invalid");
    assertThat(refused.json().path("entry").stringValue()).isEqualTo("example.com:443");
    assertThat(refused.json().path("pointer").stringValue()).isEqualTo("/domains/1");
    assertThat(refused.json().path("detail").stringValue())
        .contains("'example.com:443' has a port");
    assertThat(refused.json().path("errors").valueStream().map(it -> it.path("index").intValue()))
        .containsExactly(1, 2, 3);
    assertThat(egress.current()).isEqualTo(EgressSetting.OPEN);
  }

  /** Case 112: said when it is saved and not at the first run. */
  @Test
  void aListThatAnEnabledVendorWouldNotTakeIsRefused() throws Exception {
    var many =
        IntStream.range(0, FakeRuntimeCatalog.MOST_DOMAINS)
            .mapToObj("\"host-%d.test\""::formatted)
            .collect(Collectors.joining(",", "{\"mode\":\"allowlist\",\"domains\":[", "]}"));
    var enabled = "{\"enabled\":true,\"config\":{\"token\":\"t\",\"private_network\":true}}";
    api.put("/api/settings/agent-runtimes/alpha", enabled);

    var refused = save(many);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.code()).isEqualTo("egress_too_many_domains");
    assertThat(refused.json().path("detail").stringValue())
        .contains("Alpha takes at most 40 domains")
        .contains("40 of yours");
    api.put("/api/settings/agent-runtimes/alpha", "{\"enabled\":false}");
    assertThat(save(many).status()).isEqualTo(200);
    var late = api.put("/api/settings/agent-runtimes/alpha", "{\"enabled\":true}");
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("egress_too_many_domains");
    assertThat(save("{\"mode\":\"open\",\"domains\":[]}").status()).isEqualTo(200);
    assertThat(api.put("/api/settings/agent-runtimes/alpha", "{\"enabled\":true}").status())
        .isEqualTo(200);
  }

  /** EGR-5. */
  @Test
  void aPolicyFromBeforeThereWereModesStaysAnAllowlist() throws Exception {
    store("{\"domains\":[\"example.com\"]}");

    assertThat(egress.current())
        .isEqualTo(
            new EgressSetting(EgressMode.ALLOWLIST, List.of("example.com"), Uncontrolled.REFUSE));
    assertThat(api.get(PATH).json().path("mode").stringValue()).isEqualTo("allowlist");
  }

  /** EGR-5 and case 21. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "[]",
        "\"open\"",
        "{\"mode\":\"opne\",\"domains\":[]}",
        "{\"mode\":null,\"domains\":[]}",
        "{\"mode\":[\"open\"],\"domains\":[]}",
        "{\"mode\":\"allowlist\",\"domains\":null}",
        "{\"mode\":\"allowlist\"}",
        "{\"domains\":\"example.com\"}",
        "{}",
        "{\"mode\":\"allowlist\",\"domains\":[\"*\"]}",
        "{\"mode\":\"allowlist\",\"domains\":[17]}",
        "{\"mode\":\"open\",\"domains\":{}}",
        "{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"yes\"}"
      })
  void whatMakesNoSenseIsNoPolicyAndSavingMendsIt(String stored) throws Exception {
    store(stored);

    assertThatThrownBy(egress::current)
        .isInstanceOf(EgressUnreadable.class)
        .hasMessageContaining("must save it anew");
    assertThat(api.get(PATH).status()).isEqualTo(409);
    assertThat(api.get(PATH).code()).isEqualTo("egress_policy_unreadable");

    assertThat(save("{\"mode\":\"allowlist\",\"domains\":[]}").status()).isEqualTo(200);
    assertThat(egress.current().mode()).isEqualTo(EgressMode.ALLOWLIST);
  }

  @Test
  void aChangeIsAuditedOnceAndNoChangeIsNot() throws Exception {
    long before = entries();

    save("{\"mode\":\"allowlist\",\"domains\":[\"example.com\"]}");
    save("{\"mode\":\"allowlist\",\"domains\":[\"EXAMPLE.com\"],\"uncontrolled\":\"refuse\"}");

    assertThat(entries()).isEqualTo(before + 1);
    assertThat(
            jdbc.sql("select after::text from activity order by id desc limit 1")
                .query(String.class)
                .single())
        .contains("allowlist", "example.com");
  }
}
