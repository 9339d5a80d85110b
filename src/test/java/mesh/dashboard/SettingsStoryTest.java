package mesh.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import mesh.Suites;
import mesh.TestMesh;
import mesh.simulator.modal.ModalSimulator;
import mesh.simulator.sprites.SpritesSimulator;
import modal.client.NetworkAccess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an admin does on the settings pages, from one end to the other, in a real browser. */
@ExtendWith(OutputCaptureExtension.class)
class SettingsStoryTest {

  private static ModalSimulator modal;
  private static SpritesSimulator sprites;
  private static TestMesh mesh;
  private static Chromium chromium;
  private static Page page;

  @BeforeAll
  static void start(CapturedOutput console) throws IOException {
    Suites.require(
        "dashboard in a browser",
        Chromium.executable().isPresent(),
        "there is no Chromium on the PATH");
    modal = ModalSimulator.start(0);
    sprites = SpritesSimulator.start(0);
    mesh = TestMesh.start();
    Person ada = Person.admin(mesh, console);
    for (String slug : List.of("builder", "tester", "writer")) {
      ada.done("/agents", Map.of("slug", slug));
    }
    mesh.admin()
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"enabled\":true,\"config\":{\"token\":\"%s\",\"base_url\":\"%s\"}}"
                .formatted(sprites.token(), sprites.baseUrl()))
        .ok();
    chromium = Chromium.start();
    page =
        chromium
            .browser()
            .newContext(new Browser.NewContextOptions().setViewportSize(1280, 740))
            .newPage();
    page.navigate(mesh.url() + "/sign-in");
    page.getByLabel("Name").fill("ada");
    page.getByLabel("Password").fill(Person.PASSWORD);
    page.locator("button:has-text('Sign in')").click();
    assertThat(page.locator("h1")).hasText("Runs");
  }

  @AfterAll
  static void stop() {
    if (chromium != null) {
      chromium.close();
      mesh.close();
      sprites.close();
      modal.close();
    }
  }

  @Test
  void anAdminRestrictsTheNetworkAndChangesTheirMindAboutARuntime() {
    enableModal();
    restrict();
    seeWhoIsRefused();
    runUnderTheList();
    pin("builder");
    pin("tester");
    disableModal();
  }

  private static void enableModal() {
    page.getByRole(AriaRole.LINK, named("Agent runtimes")).click();
    var card = card();
    card.locator(".more > summary").click();
    page.locator("#modal-token_id").fill(modal.tokenId());
    page.locator("#modal-token_secret").fill(modal.tokenSecret());
    page.locator("#modal-base_url").fill(modal.url());
    card.getByText("Save and enable").click();
    assertThat(card()).containsText("Enabled");
    assertThat(card()).containsText("Enforced by TLS name");
    assertThat(page.content()).doesNotContain(modal.tokenSecret());
  }

  private static void restrict() {
    page.getByRole(AriaRole.LINK, named("Network access")).click();
    page.locator("input[value='allowlist']").check();
    page.locator("#domains").fill("example.com\nexample.com:8443");
    page.locator("input[value='refuse']").check();
    page.locator("button:has-text('Save for new workspaces')").click();
    assertThat(page.locator("#domains-wrong")).containsText("Line 2: 'example.com:8443'");
    page.locator("#domains").fill("example.com");
    page.locator("button:has-text('Save for new workspaces')").click();
    assertThat(page.locator(".said")).containsText("hosts and nothing else");
  }

  private static void seeWhoIsRefused() {
    assertThat(row("Modal")).containsText("Made, restricted");
    assertThat(row("Fly Sprites")).containsText("Refused");
    assertThat(row("Local")).containsText("Refused");
  }

  /** The page told the truth: the vendor gets the list, and nobody else gets a workspace. */
  private static void runUnderTheList() {
    modal.forgetCalls();
    var run =
        mesh.admin()
            .post("/api/runs", "{\"agent\":\"writer\",\"mode\":\"external\"}")
            .ok()
            .get("token")
            .asString();

    assertThat(mesh.with(run).exec("echo", "hi").get("stdout").asString()).isEqualTo("hi\n");

    var access = modal.created().getLast().definition().getNetworkAccess();
    assertThat(access.getNetworkAccessType()).isEqualTo(NetworkAccess.NetworkAccessType.ALLOWLIST);
    assertThat(access.getAllowedDomainsList()).contains("example.com", "github.com");
    assertThat(access.getAllowedCidrsList()).isEmpty();
    assertThat(sprites.sprites()).isEmpty();
    mesh.with(run).post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
  }

  private static void pin(String agent) {
    page.navigate(mesh.url() + "/agents/" + agent);
    page.getByText("Change the runtime…").click();
    page.locator("select[name='runtime']").selectOption("modal");
    page.locator("button:has-text('Set the runtime'), form[action$='/runtime'] button")
        .first()
        .click();
    assertThat(page.locator("main")).containsText("Modal");
  }

  private static void disableModal() {
    page.getByRole(AriaRole.LINK, named("Agent runtimes")).click();
    var card = card();
    card.locator(".ask > summary", new Locator.LocatorOptions().setHasText("Disable")).click();
    assertThat(card).containsText("2 agents are pinned to it: builder, tester");
    card.locator("button:has-text('Disable Modal')").click();
    assertThat(page.locator(".said"))
        .containsText("disabling Modal reset 2 agent(s) to the instance default");
    assertThat(page.locator(".said")).containsText("builder");
    assertThat(page.locator(".said")).containsText("tester");
    page.getByRole(AriaRole.LINK, named("Network access")).click();
    assertThat(row("Modal")).containsText("Not enabled");
  }

  private static Locator card() {
    return page.getByRole(
        AriaRole.REGION, new Page.GetByRoleOptions().setName("Modal").setExact(true));
  }

  private static Locator row(String runtime) {
    return page.locator(
        "tbody tr", new Page.LocatorOptions().setHas(page.getByText(runtime).first()));
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }
}
