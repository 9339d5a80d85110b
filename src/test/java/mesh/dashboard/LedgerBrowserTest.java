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
import mesh.run.Run;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Agents, workspaces, grants and activity in a real browser. */
@ExtendWith(OutputCaptureExtension.class)
class LedgerBrowserTest {

  private static final Path PICTURES = Path.of("target", "screenshots");

  private static final List<String> complaints = new CopyOnWriteArrayList<>();

  private static TestMesh mesh;
  private static Chromium chromium;
  private static String session;
  private static Map<String, String> pages;

  private BrowserContext context;

  @BeforeAll
  static void fill(CapturedOutput console) {
    Suites.require(
        "dashboard in a browser",
        Chromium.executable().isPresent(),
        "there is no Chromium on the PATH");
    chromium = Chromium.start();
    mesh = TestMesh.start();
    Staging staging = new Staging(mesh);
    staging.stillAlive("walkthrough", "the vendor answered 503 four times: try again later");
    Person ada = Person.admin(mesh, console);
    ada.done("/agents", Map.of("slug", "builder", "name", "Builder of the payments service"));
    ada.done(
        "/agents",
        Map.of(
            "slug",
            "an-agent-with-a-slug-that-is-as-long-as-slugs-may-be-at-most-63-x".substring(0, 63)));
    ada.done(
        "/agents/builder/credentials/github",
        Map.of(
            "token",
            "ghp_token",
            "login",
            "payments-builder",
            "name",
            "Payments Builder",
            "email",
            "payments-builder@example.org"));
    ada.done("/agents/builder/credentials/github/permission", Map.of("enabled", "true"));
    ada.done("/agents/builder/vault", Map.of("name", "stripe-test-key", "value", "sk_test_4711"));
    ada.done("/agents/builder/vault", Map.of("name", "pin", "value", "4711"));
    Run run = staging.runWithSandbox("builder", "Fix the flaky test in payments/RefundTest");
    staging.run("builder", "Wait for a tool");
    pages =
        Map.of(
            "agents", "/agents",
            "agent", "/agents/builder",
            "agent-vault", "/agents/builder?entry=pin",
            "agent-new", "/agents/walkthrough",
            "grants", "/runs/" + run.id() + "/grants",
            "workspaces", "/workspaces",
            "activity", "/activity",
            "activity-refused", "/activity?run=7");
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
    for (String path : pages.values()) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        Page page = open(path);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.evaluate(
            "document.querySelectorAll('details:not(.ask)').forEach(it => it.open = true)");

        assertThat(axe.get().findings(page)).as(path + " " + scheme).isEmpty();
        page.close();
      }
    }
  }

  @Test
  void noPageScrollsSidewaysAtAnyWidth() {
    for (String path : pages.values()) {
      Page page = open(path);
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
      for (String path : List.of("/agents/builder", "/workspaces")) {
        Page page = open(path);
        page.setViewportSize(width, 740);
        for (Locator ask : page.locator(".ask").all()) {
          ask.locator("summary").click();
          Locator form = ask.locator("form");
          assertThat(form).isVisible();
          BoundingBox box = form.boundingBox();
          assertThat(box.x).as(path + " at " + width).isNotNegative();
          assertThat(box.x + box.width).as(path + " at " + width).isLessThanOrEqualTo(width);
          BoundingBox button = form.locator("button").boundingBox();
          assertThat(button.x + button.width)
              .as("button on %s at %d", path, width)
              .isLessThan(box.x + box.width);
          assertThat(page.evaluate("document.scrollingElement.scrollWidth")).isEqualTo(width);
          page.locator("h1").click();
          assertThat(form).isHidden();
        }
        page.close();
      }
    }
  }

  @Test
  void aCredentialIsSetByHand() {
    Page page = open("/agents/walkthrough");
    Locator block = page.locator("#gitlab");

    block.getByText("Set…").click();
    block.getByLabel("Token").fill("glpat-secret");
    block.getByLabel("Account").fill("walker");
    block
        .getByRole(AriaRole.BUTTON)
        .filter(new Locator.FilterOptions().setHasText("Set the"))
        .click();

    assertThat(page.locator(".said")).containsText("The GitLab credential is set.");
    assertThat(page.locator("#gitlab")).containsText("walker");
    assertThat(page.content()).doesNotContain("glpat-secret");
  }

  @Test
  void theFilterOfTheActivityStaysInTheAddress() {
    Page page = open("/activity");

    page.getByLabel("What").fill("vault");
    page.keyboard().press("Enter");

    page.waitForURL(at("/activity?action=vault"));
    assertThat(page.locator("tbody tr")).hasCount(2);
  }

  @Test
  void picturesForPeople() {
    for (Map.Entry<String, String> each : pages.entrySet()) {
      Page page = open(each.getValue());
      pictures(page, each.getKey());
      page.close();
    }
    Page asking = open("/agents/builder");
    asking.locator("#github .more > summary").click();
    asking.locator("#gitlab .ask > summary").click();
    pictures(asking, "agent-asking");
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
