package mesh.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import mesh.Suites;
import mesh.TestMesh;
import mesh.activity.ActorId;
import mesh.agent.AgentDraft;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.run.NewRun;
import mesh.run.Replayability;
import mesh.run.Run;
import mesh.run.RunMode;
import mesh.run.RunStatus;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

/** The dashboard as a person meets it: the real application in a real browser. */
@ExtendWith(OutputCaptureExtension.class)
class DashboardBrowserTest {

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final String PASSWORD = "correct horse battery";
  private static final String SLEEPS =
      """
      {"kind": "scripted", "steps": [
        {"text": "I sleep.", "tool": "workspace_exec", "arguments": {"argv": ["sleep", "60"]}}]}
      """;
  private static final JsonMapper JSON = JsonMapper.shared();

  private static final List<String> complaints = new CopyOnWriteArrayList<>();

  private static Runs runs;
  private static Steps steps;
  private static TestMesh mesh;
  private static Chromium chromium;
  private static String session;
  private static AgentId agent;
  private static Run told;

  private BrowserContext context;

  @BeforeAll
  static void setUpMeshThroughItsLink(CapturedOutput console) {
    Suites.require(
        "dashboard in a browser",
        Chromium.executable().isPresent(),
        "there is no Chromium on the PATH");
    chromium = Chromium.start();
    mesh = TestMesh.start();
    runs = mesh.bean(Runs.class);
    steps = mesh.bean(Steps.class);
    Agents agents = mesh.bean(Agents.class);
    Matcher link = Pattern.compile("http://\\S+/setup\\?token=\\S+").matcher(console.getAll());
    assertThat(link.find()).as("a set-up link on the console").isTrue();

    try (BrowserContext fresh = chromium.browser().newContext(wide())) {
      Page page = watched(fresh.newPage());
      page.navigate(at("/"));
      assertThat(page.locator("h1")).hasText("Sign in");
      assertThat(page.getByText("Nobody has an account yet.")).isVisible();
      page.navigate(at("/setup"));
      assertThat(page.locator("h1")).hasText("Set up Mesh");
      page.navigate(link.group());
      pictures(page, "setup");
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill("a".repeat(12));
      page.getByText("Make the account").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("Choose another password");
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill(PASSWORD);
      page.getByText("Make the account").click();
      assertThat(page.locator("h1")).hasText("Sign in");
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill("wrong");
      page.locator("button:has-text('Sign in')").click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("do not belong together");
      pictures(page, "sign-in");
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill(PASSWORD);
      page.locator("button:has-text('Sign in')").click();
      assertThat(page.locator("h1")).hasText("Runs");
      session = fresh.storageState();
    }
    agent = agent(agents, "builder", "{}");
    agent(agents, "sleeper", SLEEPS);
    told = fill();
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
  void theWalkthroughsRunTellsWhatItReallyDid() {
    Page page = open("/runs?agent=walkthrough");
    page.locator(".runs a").first().click();

    assertThat(page.locator("#head .badge"))
        .hasText("Completed", new LocatorAssertions.HasTextOptions().setTimeout(60_000));
    assertThat(page.locator(".step.called.good")).not().hasCount(0);
    assertThat(page.locator(".step.bad")).hasCount(0);
    assertThat(page.locator("#head"))
        .containsText("Released", new LocatorAssertions.ContainsTextOptions().setTimeout(20_000));
    assertThat(page.locator(".banner")).containsText("is enabled.");
    pictures(page, "walkthrough");
  }

  @Test
  void aRunAppearsInTheListByItself() {
    Page page = open("/runs");

    Run run = start("Appear without a reload");

    assertThat(page.getByText("Appear without a reload")).isVisible();
    assertThat(page.locator("#run-" + run.id())).isVisible();
  }

  @Test
  void stepsAppearWhileTheRunGoesOn() {
    Run run = start("Count to two");
    Page page = open("/runs/" + run.id());
    assertThat(page.locator("#head .badge")).hasText("Running");

    int first = exec(run, "echo", "one");
    assertThat(page.locator("#step-1 .subject")).hasText("echo one");
    assertThat(page.locator("#step-1 .outcome")).containsText("Running");
    assertThat(page.locator("#step-1 .took")).containsText(" s");
    finish(run, first, Map.of("outcome", "exited", "exit_code", 0, "stdout", "one\n"));
    assertThat(page.locator("#step-1 .outcome")).containsText("exit 0");
    assertThat(page.locator("#step-1 pre")).hasText("one");
    page.locator("#step-1 > details > summary").click();
    int second = exec(run, "echo", "two");
    finish(run, second, Map.of("outcome", "exited", "exit_code", 3, "stderr", "two\n"));
    assertThat(page.locator("#step-2 .outcome")).containsText("exit 3");
    assertThat(page.locator("#step-1 pre")).isHidden();
    runs.end(
        run.id(), RunStatus.COMPLETED, "The agent finished its task.", "Counted.", ActorId.SYSTEM);

    assertThat(page.locator("#head .badge")).hasText("Completed");
    assertThat(page.locator("#head")).containsText("Counted.");
    assertThat(page.locator("#announce")).hasText("The run is now: Completed");
    assertThat(page.locator(".waiting")).hasCount(0);
    assertThat(page.getByText("Cancel…")).hasCount(0);
  }

  @Test
  void hostileOutputStaysText() {
    Run run = start("Print <script>owned()</script>");
    String hostile =
        """
        <script>window.owned = 1</script><img src=x onerror="window.owned=1"><svg onload=window.owned=1>
        </pre><iframe src="https://example.org/"></iframe>
        \u001b]8;;javascript:window.owned=1\u0007click\u001b]8;;\u0007 \u202etxt.exe \u0000
        """;
    Page page = open("/runs/" + run.id());
    finish(
        run,
        exec(run, "sh", "-c", hostile.replace("\0", "")),
        Map.of("outcome", "exited", "exit_code", 0, "stdout", hostile, "stderr", hostile));
    assertThat(page.locator("#step-1 .outcome")).containsText("exit 0");
    assertNothingRan(page);
    page.reload();
    assertNothingRan(page);
    page.navigate(at("/runs/" + run.id() + "/raw"));
    assertNothingRan(page);
  }

  private void assertNothingRan(Page page) {
    assertThat(page.locator("main")).containsText("<script>");
    assertThat(page.evaluate("window.owned === undefined")).isEqualTo(true);
    assertThat(page.locator("main iframe, main img, main script").count()).isZero();
    assertThat(page.locator("a[href^='javascript']").count()).isZero();
  }

  @Test
  void theKeyboardIsEnough() {
    Page page = open("/runs");

    page.keyboard().press("j");
    String first = focused(page);
    page.keyboard().press("j");
    String second = focused(page);
    page.keyboard().press("ArrowUp");

    assertThat(first).startsWith("run-");
    assertThat(second).startsWith("run-").isNotEqualTo(first);
    assertThat(focused(page)).isEqualTo(first);
    page.keyboard().press("?");
    assertThat(page.locator("#keys")).isVisible();
    page.keyboard().press("Escape");
    assertThat(page.locator("#keys")).isHidden();
    page.keyboard().press("/");
    assertThat(focused(page)).isEqualTo("q");
    page.keyboard().type(told.id().toString());
    page.keyboard().press("Enter");
    page.waitForURL(at("/runs/" + told.id()));
    page.keyboard().press("j");
    page.keyboard().press("Enter");
    assertThat(page.locator("#step-2 > details")).not().hasAttribute("open", "");
    page.keyboard().press("u");
    page.waitForURL(at("/runs"));
    page.keyboard().press("Tab");
    assertThat(page.locator(":focus")).hasText("Skip to the content");
  }

  @Test
  void theListStaysWhereTheReaderIsWhileItRenewsItself() {
    Page page = open("/runs");
    page.keyboard().press("j");
    page.keyboard().press("j");
    String before = focused(page);

    start("Push the list down");

    assertThat(page.getByText("Push the list down")).isVisible();
    assertThat(focused(page)).isEqualTo(before);
  }

  @Test
  void coloursFollowTheSystemAndTheChoice() {
    Page page = open("/runs");
    String light = background(page);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    String dark = background(page);

    assertThat(dark).isNotEqualTo(light);
    page.getByTitle("Light colours").click();
    assertThat(background(page)).isEqualTo(light);
    page.reload();
    assertThat(background(page)).isEqualTo(light);
    page.getByTitle("Dark colours").click();
    assertThat(background(page)).isEqualTo(dark);
  }

  @Test
  void noPageScrollsSidewaysOnAPhone() {
    for (String path :
        List.of(
            "/sign-in", "/runs", "/runs/" + told.id(), "/runs/" + told.id() + "/raw", "/nowhere")) {
      Page page = context.newPage();
      page.setViewportSize(360, 740);
      page.navigate(at(path));

      assertThat(page.evaluate("document.scrollingElement.scrollWidth"))
          .as("width of " + path)
          .isEqualTo(360);
      page.close();
    }
  }

  @Test
  void everyPageIsAccessible() {
    Optional<Axe> axe = Axe.installed();
    Suites.require("accessibility", axe.isPresent(), "axe-core could not be installed from npm");
    for (String path :
        List.of(
            "/sign-in", "/runs", "/runs/" + told.id(), "/runs/" + told.id() + "/raw", "/nowhere")) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        Page page = context.newPage();
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        page.navigate(at(path));
        page.evaluate("document.querySelectorAll('details').forEach(it => it.open = true)");

        assertThat(axe.get().findings(page)).as(path + " " + scheme).isEmpty();
        page.close();
      }
    }
  }

  @Test
  void aRunIsStartedAndCancelledWithoutScripts() {
    try (BrowserContext plain =
        chromium
            .browser()
            .newContext(wide().setStorageState(session).setJavaScriptEnabled(false))) {
      Page page = watched(plain.newPage());
      page.navigate(at("/runs"));
      page.locator("#start > summary").click();
      page.getByLabel("Task").fill("   ");
      page.getByText("Start the run").click();
      assertThat(page.locator(".problem")).containsText("Say what the agent is to do.");
      page.locator("#agent").selectOption("sleeper");
      page.getByLabel("Task").fill("Wait for a person\nand nothing else");
      page.getByLabel("On behalf of").fill("grace");
      page.getByText("Start the run").click();
      assertThat(page.locator("h1")).hasText("Wait for a person");
      assertThat(page.getByText("Reload")).isVisible();
      page.getByText("Cancel…").click();
      assertThat(page.locator(".ask form")).containsText("of agent sleeper?");
      page.getByText("Cancel the run").click();
      assertThat(page.locator("#head .badge")).hasText("Cancelled");
      assertThat(page.locator("#head .reason")).hasText("Cancelled by ada.");
      page.getByTitle("Dark colours").click();
      assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
      page.navigate(at("/runs"));
      page.getByLabel("Status").selectOption("failed");
      page.getByText("Filter", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(page.locator(".runs tbody tr")).hasCount(1);
    }
  }

  @Test
  void listsAreFilteredAndPaged() {
    Page page = open("/runs");
    page.getByLabel("Status").selectOption("failed");
    assertThat(page.locator(".runs tbody tr")).hasCount(1);
    page.getByText("Clear filters").click();
    assertThat(page.locator(".runs tbody tr")).hasCount(50);
    page.getByText("Older").click();
    assertThat(page.getByText("Newest", new Page.GetByTextOptions().setExact(true))).isVisible();
    assertThat(page.locator(".runs tbody tr").last()).isVisible();
  }

  @Test
  void whoSignsOutIsOut() {
    try (BrowserContext other = chromium.browser().newContext(wide())) {
      Page page = watched(other.newPage());
      page.navigate(at("/runs"));
      assertThat(page.locator("h1")).hasText("Sign in");
      page.getByLabel("Name").fill("ada");
      page.getByLabel("Password").fill(PASSWORD);
      page.locator("button:has-text('Sign in')").click();
      page.getByTitle("Sign out").click();
      assertThat(page.getByText("You are signed out.")).isVisible();
      page.navigate(at("/runs"));
      assertThat(page.locator("h1")).hasText("Sign in");
    }
  }

  @Test
  void everyPageHasItsPicture() {
    for (Map.Entry<String, String> each :
        Map.of(
                "runs",
                "/runs",
                "run",
                "/runs/" + told.id(),
                "raw",
                "/runs/" + told.id() + "/raw",
                "not-found",
                "/nowhere")
            .entrySet()) {
      Page page = context.newPage();
      page.navigate(at(each.getValue()));
      pictures(page, each.getKey());
      page.close();
    }
  }

  private static AgentId agent(Agents agents, String slug, String model) {
    return agents.create(new AgentDraft(slug, slug, null, model, 5, 3600), ActorId.SYSTEM).id();
  }

  private static Run fill() {
    for (int i = 0; i < 52; i++) {
      Run run = start("Upgrade dependency " + i + " and run the whole suite");
      runs.end(
          run.id(),
          i == 40 ? RunStatus.FAILED : RunStatus.COMPLETED,
          i == 40 ? "The tests did not pass." : "The agent finished its task.",
          null,
          ActorId.SYSTEM);
    }
    Run run =
        start(
            "Fix the flaky test in payments/RefundTest and open a pull request\n\nIt fails once in 30 runs.");
    steps.notice(
        run.id(),
        JSON.createObjectNode().put("text", "A workspace is being set up; a reply will follow."));
    finish(
        run,
        exec(run, "git", "clone", "--depth", "1", "https://git.example.org/shop/payments.git", "."),
        Map.of(
            "outcome",
            "exited",
            "exit_code",
            0,
            "stderr",
            "Cloning into '.'...\nReceiving objects:  12% (50/412)\rReceiving objects: 100% (412/412), done.\n"));
    finish(
        run,
        exec(
            run,
            "sh",
            "-c",
            "set -eu\nfor i in $(seq 1 40); do\n  ./gradlew test --tests RefundTest || exit 7\ndone"),
        Map.of(
            "outcome",
            "exited",
            "exit_code",
            7,
            "duration_ms",
            1200,
            "redactions",
            1,
            "stdout",
            "RefundTest > refundsOnTheSameDay() \u001b[32mPASSED\u001b[0m\n".repeat(60)
                + "RefundTest > refundsOnTheSameDay() \u001b[1;31mFAILED\u001b[0m\n",
            "stderr",
            "There were failing tests.\n"));
    exec(run, "./gradlew", "test");
    return run;
  }

  private static Run start(String task) {
    return runs.create(NewRun.of(agent, RunMode.EXTERNAL, task, ActorId.SYSTEM));
  }

  private static int exec(Run run, String... argv) {
    return steps
        .toolStarted(
            run.id(),
            "workspace_exec",
            Replayability.EFFECTFUL,
            JSON.valueToTree(Map.of("argv", argv)))
        .orElseThrow();
  }

  private static void finish(Run run, int step, Map<String, Object> output) {
    steps.finished(run.id(), step, Step.Status.FINISHED, JSON.valueToTree(output));
  }

  private Page open(String path) {
    Page page = watched(context.newPage());
    page.navigate(at(path));
    return page;
  }

  /** Notes whatever a browser complains of, such as a violated content security policy. */
  private static Page watched(Page page) {
    page.onConsoleMessage(message -> {
      boolean expected = message.text().contains("status of 4");
      if (message.type().equals("error") && !expected) {
        complaints.add(message.text());
      }
    });
    page.onPageError(complaints::add);
    page.onRequest(request -> {
      if (!request.url().startsWith(at("/"))) {
        complaints.add("request to " + request.url());
      }
    });
    page.onDialog(dialog -> {
      complaints.add("dialog " + dialog.message());
      dialog.dismiss();
    });
    return page;
  }

  private static void pictures(Page page, String name) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      picture(page, name, scheme, 1360, "wide");
      picture(page, name, scheme, 360, "phone");
    }
    page.setViewportSize(1360, 900);
  }

  private static void picture(Page page, String name, ColorScheme scheme, int width, String size) {
    page.setViewportSize(width, width < 500 ? 740 : 900);
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(
                PICTURES.resolve(
                    "%s-%s-%s.png"
                        .formatted(name, size, scheme.name().toLowerCase(java.util.Locale.ROOT))))
            .setFullPage(true));
  }

  private static Browser.NewContextOptions wide() {
    return new Browser.NewContextOptions().setViewportSize(1360, 900).setLocale("en-GB");
  }

  private static String background(Page page) {
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor").toString();
  }

  private static String focused(Page page) {
    return page.evaluate("document.activeElement.id").toString();
  }

  private static String at(String path) {
    return mesh.url() + path;
  }
}
