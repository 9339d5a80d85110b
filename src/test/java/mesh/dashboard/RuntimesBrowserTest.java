package mesh.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.Suites;
import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The runtimes and the choice of one for an agent, in a real browser. */
@ExtendWith(OutputCaptureExtension.class)
class RuntimesBrowserTest {

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final String RUNTIMES = "/settings/agent-runtimes";
  private static final String NETWORK = "/settings/network-access";
  private static final String AGENT = "/agents/builder";

  private static final List<String> complaints = new CopyOnWriteArrayList<>();

  private static final StagedRuntime alpha = new StagedRuntime();
  private static TestMesh mesh;
  private static Chromium chromium;
  private static String session;

  private BrowserContext context;

  @BeforeAll
  static void fill(CapturedOutput console) {
    Suites.require(
        "dashboard in a browser",
        Chromium.executable().isPresent(),
        "there is no Chromium on the PATH");
    chromium = Chromium.start();
    mesh = TestMesh.with(alpha);
    Staging staging = new Staging(mesh);
    Person ada = Person.admin(mesh, console);
    ada.done(
        RUNTIMES + "/alpha",
        Map.of(
            "config.token", "alpha-token",
            "config.key", "alpha-key",
            "config.project", "mesh",
            "config.region", "nowhere",
            "config.max_size", "large",
            "enable", "true"));
    ada.post(RUNTIMES + "/alpha/test", Map.of());
    ada.post(RUNTIMES + "/local/test", Map.of());
    for (String slug : List.of("builder", "release-notes", "tester")) {
      ada.done("/agents", Map.of("slug", slug));
      ada.done("/agents/" + slug + "/runtime", Map.of("runtime", "local"));
    }
    staging.runWithSandbox("builder", "Keep a sandbox");
    try (BrowserContext first = chromium.browser().newContext(wide())) {
      Page page = first.newPage();
      page.navigate(at("/sign-in"));
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill(Person.PASSWORD);
      page.locator("button:has-text('Sign in')").click();
      assertThat(page.locator("h1")).hasText("Runs");
      session = first.storageState();
    }
  }

  @BeforeEach
  void openABrowser() {
    context = chromium.browser().newContext(wide().setStorageState(session));
    complaints.clear();
  }

  @AfterEach
  void nothingWasComplainedOf() {
    context.close();
    assertThat(complaints).as("errors and refused requests in the browser").isEmpty();
  }

  @AfterAll
  static void closeTheBrowser() {
    if (chromium != null) {
      chromium.close();
      mesh.close();
    }
  }

  @Test
  void everyPageIsAccessible() {
    Optional<Axe> axe = Axe.installed();
    Suites.require("accessibility", axe.isPresent(), "axe-core could not be installed from npm");
    for (String path : List.of(RUNTIMES, NETWORK, AGENT)) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        Page page = open(path);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.evaluate(
            "document.querySelectorAll('details:not(.ask)').forEach(it => it.open = true)");

        assertThat(axe.get().findings(page)).as(path + " " + scheme).isEmpty();
        page.close();
      }
    }
    Page refused = refused();
    assertThat(axe.get().findings(refused)).isEmpty();
  }

  @Test
  void noPageScrollsSidewaysAtAnyWidth() {
    for (String path : List.of(RUNTIMES, NETWORK, AGENT)) {
      Page page = open(path);
      page.evaluate("document.querySelectorAll('details:not(.ask)').forEach(it => it.open = true)");
      for (int width : List.of(360, 760, 900, 1280, 1600)) {
        page.setViewportSize(width, 740);

        assertThat(page.evaluate("document.scrollingElement.scrollWidth"))
            .as("width of " + path)
            .isEqualTo(width);
      }
      page.close();
    }
  }

  @Test
  void questionsAreAskedWhereTheyCanBeSeen() {
    for (int width : List.of(360, 1280)) {
      Page page = open(RUNTIMES);
      page.setViewportSize(width, 740);
      for (Locator ask : page.locator(".ask").all()) {
        ask.locator("summary").click();
        Locator form = ask.locator("form");
        assertThat(form).isVisible();
        BoundingBox box = form.boundingBox();
        assertThat(box.x).as("at " + width).isNotNegative();
        assertThat(box.x + box.width).as("at " + width).isLessThanOrEqualTo(width);
        page.locator("h1").click();
        assertThat(form).isHidden();
      }
      page.close();
    }
  }

  @Test
  void aTestSaysThatItGoesOnAndThenHowItWent() {
    Page page = open(RUNTIMES);
    Locator local = card(page, "Local");
    local
        .locator("[role=status]")
        .evaluate(
            """
            status => new MutationObserver(() => sessionStorage.setItem('said', status.textContent))
              .observe(status, {childList: true})
            """);

    local.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Test Local")).click();

    page.waitForURL(at(RUNTIMES + "#test-local"));
    assertThat((String) page.evaluate("sessionStorage.getItem('said')"))
        .startsWith("Testing Local: a sandbox is made, used and released.");
    assertThat(card(page, "Local").locator("#test-local")).containsText("Passed");
  }

  @Test
  void aWrongSettingIsListedLinkedAndKept() {
    Page page = refused();

    assertThat(page.locator(".problem li")).hasCount(3);
    page.locator(".problem a").last().click();
    assertThat(page.locator("#alpha-base_url")).isInViewport();
    assertThat(page.locator("#alpha-base_url")).hasValue("http://elsewhere.example");
    assertThat(page.locator("#alpha-token")).hasValue("");
  }

  @Test
  void anAgentIsPinnedByHand() {
    Page page = open("/agents/walkthrough");

    page.getByText("Change the runtime…").click();
    page.locator("#runtime").selectOption("local");
    page.locator("button:has-text('Change the runtime')").click();

    assertThat(page.locator(".said")).containsText("walkthrough uses Local and no other runtime.");
  }

  @Test
  void picturesForPeople() {
    Page page = open(RUNTIMES);
    pictures(page, "runtimes");
    Page network = open(NETWORK);
    pictures(network, "network-access");
    network.close();
    card(page, "Alpha").locator(".more > summary").click();
    card(page, "Local").locator(".ask > summary").last().click();
    pictures(page, "runtimes-asking");
    page.close();
    Page refused = refused();
    pictures(refused, "runtimes-refused");
    refused.close();
    Page agent = open(AGENT);
    agent.getByText("Change the runtime…").click();
    pictures(agent, "agent-runtime");
  }

  /** An address in clear, and secrets that it would take along. */
  private Page refused() {
    Page page = open(RUNTIMES);
    Locator alphas = card(page, "Alpha");
    alphas.locator(".more > summary").click();
    page.locator("#alpha-token").fill("typed-secret");
    page.locator("#alpha-key").fill("typed-secret");
    page.locator("#alpha-base_url").fill("http://elsewhere.example");
    alphas.locator("button:has-text('Save')").click();
    assertThat(page.locator(".problem")).isVisible();
    assertThat(page.content()).doesNotContain("typed-secret");
    return page;
  }

  private static Locator card(Page page, String title) {
    return page.getByRole(
        AriaRole.REGION, new Page.GetByRoleOptions().setName(title).setExact(true));
  }

  private static void pictures(Page page, String name) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      for (int width : List.of(360, 1280)) {
        page.setViewportSize(width, 740);
        page.screenshot(
            new Page.ScreenshotOptions()
                .setPath(
                    PICTURES.resolve(
                        "%s-%d-%s.png"
                            .formatted(name, width, scheme.name().toLowerCase(Locale.ROOT))))
                .setFullPage(true));
      }
    }
  }

  private Page open(String path) {
    Page page = context.newPage();
    page.onConsoleMessage(message -> {
      if (message.type().equals("error") && !message.text().contains("status of 4")) {
        complaints.add(message.text());
      }
    });
    page.onPageError(complaints::add);
    page.navigate(at(path));
    return page;
  }

  private static Browser.NewContextOptions wide() {
    return new Browser.NewContextOptions().setViewportSize(1280, 740).setLocale("en-GB");
  }

  private static String at(String path) {
    return mesh.url() + path;
  }
}
