package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mesh.TestMesh;
import mesh.credential.Credentials;
import mesh.credential.DeliveryLocks;
import mesh.credential.Provider;
import mesh.credential.Vault;
import mesh.dashboard.Person.Answer;
import mesh.secret.Secret;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Agents, their credentials and vaults, as a person without scripts changes them. */
@ExtendWith(OutputCaptureExtension.class)
class AgentPagesTest {

  private static final String TOKEN = "ghp_0Zq7secretTokenOfTheAgent4711";
  private static final String VALUE = "-----BEGIN KEY-----\r\nvaultValue0815\r\n-----END KEY-----";

  private static TestMesh mesh;
  private static Staging staging;
  private static Person ada;
  private static Person vera;

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.start();
    staging = new Staging(mesh);
    ada = Person.admin(mesh, console);
    vera = Person.with(mesh, "vera", "viewer");
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Test
  void anAgentIsMadeAndListed() {
    String page = ada.done("/agents", Map.of("slug", "payments", "name", "Payments & co"));

    assertThat(page).contains("Agent payments is made.", "Payments &amp; co", "GitHub", "GitLab");
    assertThat(ada.page("/agents/payments")).doesNotContain("is made.");
    assertThat(ada.page("/agents"))
        .contains("href=\"/agents/payments\"", "Payments &amp; co", "Never");
  }

  @Test
  void whatIsWrongWithANewAgentIsToldBesideItsField() {
    Answer slug = ada.post("/agents", Map.of("slug", "No Slug!", "name", "kept <b>"));
    Answer taken = ada.post("/agents", Map.of("slug", "walkthrough"));
    Answer name = ada.post("/agents", Map.of("slug", "fine", "name", "n".repeat(201)));

    assertThat(slug.status()).isEqualTo(422);
    assertThat(slug.text())
        .contains("href=\"#slug\"", "id=\"slug-wrong\"", "value=\"No Slug!\"")
        .contains("value=\"kept &lt;b>\"");
    assertThat(taken.text()).contains("There is an agent walkthrough already");
    assertThat(name.text()).contains("href=\"#name\"", "id=\"name-wrong\"");
  }

  @Test
  void aCredentialIsSetReplacedWithheldAndCleared() {
    make("crede");

    String set = ada.done("/agents/crede/credentials/github", github("octo"));
    assertThat(set)
        .contains("The GitHub credential is set.", "No older delivery is under way.")
        .contains("Delivered to its sandboxes", "<code>octo</code>", "by ada.")
        .contains("https://github.com/settings/tokens", "Revision 2.", "Automatic:")
        .contains("No sandbox of this agent is alive, so nothing is destroyed now.");
    assertThat(ada.done("/agents/crede/credentials/github", github("hubot")))
        .contains("<code>hubot</code>", "Revision 3.");

    String withheld =
        ada.done("/agents/crede/credentials/github/permission", Map.of("enabled", "false"));
    assertThat(withheld)
        .contains("GitHub is kept from this agent's sandboxes.")
        .contains("Set, but kept from its sandboxes", "Explicit: ada decided")
        .contains("Deliver GitHub to this agent’s sandboxes");
    assertThat(ada.page("/agents")).contains("GitHub kept back");

    assertThat(ada.done("/agents/crede/credentials/github/clear", Map.of()))
        .contains("The GitHub credential is cleared.", "Not set, and not permitted");
    assertThat(mesh.bean(Credentials.class).of(staging.agent("crede"), Provider.GITHUB).isSet())
        .isFalse();
  }

  @Test
  void aChangeDuringADeliverySaysThatItHoldsAndWhatMayBeLeft() throws InterruptedException {
    make("drain");
    ada.done("/agents/drain/credentials/github", github("octo"));
    var run = staging.run("drain", "Deliver slowly");
    List<String> pages = new ArrayList<>();

    mesh.bean(DeliveryLocks.class)
        .writing(
            run.id(),
            run.agent(),
            List.of(Provider.GITHUB),
            _ -> pages.add(ada.done("/agents/drain/credentials/github/clear", Map.of())));

    assertThat(pages)
        .singleElement()
        .asString()
        .contains("The GitHub credential is cleared.", "Not set")
        .contains("An older delivery was still under way after 5 s.")
        .contains("If you cannot wait, revoke that token at GitHub.");
  }

  @Test
  void aCredentialThatDoesNotOpenIsToldApartFromNone() {
    make("broken");
    ada.done("/agents/broken/credentials/github", github("octo"));
    make("other");
    ada.done("/agents/other/credentials/github", github("octo"));
    mesh.bean(JdbcClient.class)
        .sql(
            """
            update agent_secrets
               set token = (select token from agent_secrets where agent_id = :other)
             where agent_id = :broken
            """)
        .param("other", staging.agent("other").value())
        .param("broken", staging.agent("broken").value())
        .update();

    assertThat(ada.page("/agents/broken"))
        .contains("Cannot be decrypted", "an operator must enter it again.", "Replace…");
    assertThat(ada.page("/agents")).contains("GitHub cannot be decrypted");
  }

  @Test
  void whatIsWrongWithACredentialIsToldBesideItsField() {
    make("wrong");

    Answer answer =
        ada.post(
            "/agents/wrong/credentials/gitlab",
            Map.of("token", "has a blank", "login", "", "name", "a<b", "email", "nowhere"));
    Answer token =
        ada.post(
            "/agents/wrong/credentials/gitlab",
            Map.of("token", "has a blank", "login", "octo", "name", "Octo", "email", "o@x.org"));

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text())
        .contains("href=\"#gitlab-login\"", "href=\"#gitlab-name\"", "href=\"#gitlab-email\"")
        .contains("value=\"a&lt;b\"", "value=\"nowhere\"")
        .doesNotContain("has a blank");
    assertThat(token.status()).isEqualTo(422);
    assertThat(token.text())
        .contains("href=\"#gitlab-token\"", "value=\"octo\"", "value=\"o@x.org\"")
        .doesNotContain("has a blank", "github-wrong");
  }

  @Test
  void aVaultEntryIsSetReplacedAndForgotten() {
    make("vault");

    assertThat(ada.page("/agents/vault")).contains("The vault is empty");
    assertThat(ada.done("/agents/vault/vault", Map.of("name", "deploy.key", "value", VALUE)))
        .contains("Vault entry deploy.key is set.", "MESH_SECRET_DEPLOY_KEY", "by ada");
    var read = mesh.bean(Vault.class).read(staging.run("vault", "read"), List.of("deploy.key"));
    assertThat(read).containsEntry("deploy.key", Secret.of(VALUE.replace("\r\n", "\n")));

    assertThat(ada.page("/agents/vault?entry=deploy.key"))
        .contains("<details class=\"more\" id=\"vault-form\" open>", "value=\"deploy.key\"");
    assertThat(ada.done("/agents/vault/vault", Map.of("name", "deploy.key", "value", "short")))
        .contains("Shorter than 8 bytes");
    assertThat(ada.done("/agents/vault/vault/forget", Map.of("name", "deploy.key")))
        .contains("Vault entry deploy.key is forgotten.", "The vault is empty");
  }

  @Test
  void whatIsWrongWithAVaultEntryIsToldBesideItsField() {
    make("badvault");

    Answer name = ada.post("/agents/badvault/vault", Map.of("name", "-x", "value", "lostAndGone"));
    Answer value = ada.post("/agents/badvault/vault", Map.of("name", "key", "value", " "));

    assertThat(name.status()).isEqualTo(422);
    assertThat(name.text())
        .contains("href=\"#vault-name\"", "value=\"-x\"")
        .doesNotContain("lostAndGone");
    assertThat(value.text()).contains("href=\"#vault-value\"", "value=\"key\"");
  }

  @Test
  void theQuestionNamesHowManySandboxesAreDestroyed() {
    make("busy");
    staging.runWithSandbox("busy", "Keep a sandbox");

    assertThat(ada.page("/agents/busy"))
        .contains("Its 1 live sandbox is destroyed within seconds", "Keep a sandbox");
  }

  @Test
  void noPageTellsATokenOrAValue() {
    make("quiet");
    ada.done("/agents/quiet/credentials/github", github("octo"));
    ada.done("/agents/quiet/vault", Map.of("name", "api", "value", VALUE));
    var run = staging.runWithSandbox("quiet", "Work quietly");
    List<Answer> pages = new ArrayList<>();
    for (String path :
        List.of(
            "/agents",
            "/agents/quiet",
            "/agents/quiet?entry=api",
            "/runs/" + run.id(),
            "/runs/" + run.id() + "/grants",
            "/runs/" + run.id() + "/raw",
            "/workspaces",
            "/activity?agent=quiet",
            "/api/activity/export?format=csv",
            "/api/activity/export?format=jsonl")) {
      pages.add(ada.get(path));
    }
    pages.add(
        ada.post(
            "/agents/quiet/credentials/github", Map.of("token", TOKEN + " x", "login", "octo")));
    pages.add(ada.post("/agents/quiet/vault", Map.of("name", "-", "value", VALUE)));

    for (Answer page : pages) {
      assertThat(page.status()).isIn(200, 422);
      assertThat(page.text()).doesNotContain(TOKEN).doesNotContain("vaultValue0815");
    }
  }

  @Test
  void viewersSeeEverythingAndChangeNothing() {
    make("shown");
    ada.done("/agents/shown/credentials/github", github("octo"));
    ada.done("/agents/shown/vault", Map.of("name", "api", "value", "a long value"));

    assertThat(vera.page("/agents")).contains("GitHub delivered").doesNotContain("Make an agent");
    assertThat(vera.page("/agents/shown"))
        .contains("<code>octo</code>", "MESH_SECRET_API")
        .doesNotContain("action=\"/agents/", "type=\"password\"", "<textarea", "Replace");
    for (String path :
        List.of(
            "/agents",
            "/agents/shown/credentials/github",
            "/agents/shown/credentials/github/clear",
            "/agents/shown/credentials/github/permission",
            "/agents/shown/vault",
            "/agents/shown/vault/forget")) {
      Answer refused =
          vera.post(
              path,
              Map.of("slug", "x", "token", "t", "login", "l", "enabled", "false", "name", "api"));
      assertThat(refused.status()).as(path).isEqualTo(403);
    }
    assertThat(vera.page("/agents/shown")).contains("Delivered to its sandboxes", "Revision 2.");
  }

  @Test
  void aFormOfAnotherSiteIsRefused() {
    Answer refused = ada.postWithoutToken("/agents", Map.of("slug", "forged"));

    assertThat(refused.status()).isEqualTo(403);
    assertThat(ada.get("/agents/forged").status()).isEqualTo(404);
  }

  private static void make(String slug) {
    ada.done("/agents", Map.of("slug", slug));
  }

  private static Map<String, String> github(String login) {
    return Map.of("token", TOKEN, "login", login, "name", "The Agent", "email", "a@example.org");
  }
}
