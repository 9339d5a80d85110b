package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.output.CommandLine;
import mesh.dashboard.output.Folded;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.AssetLinks;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Banner;
import mesh.dashboard.view.DayStrip;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Frame;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.RunHead;
import mesh.dashboard.view.RunPage;
import mesh.dashboard.view.RunRow;
import mesh.dashboard.view.RunsPage;
import mesh.dashboard.view.Shell;
import mesh.dashboard.view.StartForm;
import mesh.dashboard.view.StepView;
import mesh.dashboard.view.When;

/** Pages with made-up contents, for rendering tests and for looking at. */
final class Samples {

  static final Instant NOW = Instant.parse("2026-03-01T14:30:00Z");
  static final Badge COMPLETED = new Badge(Mark.GOOD, "Completed");
  static final Badge RUNNING = new Badge(Mark.ACTIVE, "Running");
  static final Badge FAILED = new Badge(Mark.BAD, "Failed");
  static final Badge BUDGET = new Badge(Mark.ATTENTION, "Budget used up");
  static final Badge CANCELLED = new Badge(Mark.QUIET, "Cancelled");
  static final Badge WAITING = new Badge(Mark.ATTENTION, "Awaiting input");
  static final Badge QUEUED = new Badge(Mark.QUIET, "Queued");

  private static final String[] TASKS = {
    "Fix the flaky test in payments/RefundTest and open a pull request",
    "Upgrade the HTTP client and run the whole suite",
    "Why does the nightly import stop after 40,000 rows? Find out, do not change anything",
    "Say hello from a workspace",
    "Write release notes for 4.2 from the merged pull requests since 4.1, grouped by area, with"
        + " links, and mark what breaks",
    "Reproduce issue 1182 on a clean checkout"
  };
  private static final String[] AGENTS = {"builder", "walkthrough", "release-notes", "triage"};
  private static final String[] ACTORS = {"ada", "grace", "ci-nightly", "mesh"};
  private static final Badge[] STATES = {
    RUNNING, COMPLETED, COMPLETED, FAILED, COMPLETED, WAITING, COMPLETED, CANCELLED, BUDGET, QUEUED
  };

  private Samples() {}

  static Frame frame() {
    return new Frame(
        "auto",
        "_csrf",
        "token-of-this-page",
        new AssetLinks(
            "/assets/mesh.css",
            "/assets/mesh.js",
            "/assets/live.js",
            "/webjars/htmx.org/2.0.10/dist/htmx.min.js",
            "/assets/icon.svg"));
  }

  static Shell shell(String address) {
    return new Shell(
        frame(),
        "ada",
        "admin",
        "runs",
        address,
        "",
        List.of(
            new Banner(
                Mark.ATTENTION,
                "Local processes is enabled.",
                "Commands run as the user Mesh runs as and can read its files. Use it for nothing"
                    + " but evaluation.")));
  }

  static RunsPage runs(int count) {
    List<RunRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Badge state = STATES[i % STATES.length];
      boolean live = state == RUNNING || state == QUEUED || state == WAITING;
      rows.add(
          new RunRow(
              "7f3a9c1e-0000-4000-8000-00000000" + (1000 + i),
              "7f3a" + (1000 + i),
              state,
              state == FAILED
                  ? "the command was ended by signal 9"
                  : state == BUDGET ? "used 3,600 of 3,600 compute seconds" : "",
              AGENTS[i % AGENTS.length],
              TASKS[i % TASKS.length],
              ACTORS[i % ACTORS.length],
              When.of(NOW.minusSeconds(3L + 97L * i * i), NOW),
              live ? "12.4 s" : (i % 7) * 3 + 1 + " min " + (i * 13 % 59 + 1) + " s",
              live && state != QUEUED ? NOW.minusSeconds(12).toString() : "",
              i % 4 == 1 ? "–" : i * 7 + 2 + ".4 s"));
    }
    return new RunsPage(
        shell("/runs"),
        List.of(
            new Option("running", "Running", false),
            new Option("completed", "Completed", false),
            new Option("failed", "Failed", false)),
        options("builder", "walkthrough"),
        "",
        List.of("ada", "grace"),
        false,
        rows,
        day(),
        new StartForm(options("builder", "walkthrough"), "", "", List.of(), false),
        true,
        count > 20 ? "/runs?before=x" : "",
        "",
        "http://127.0.0.1:8080");
  }

  static RunsPage nothing() {
    RunsPage full = runs(0);
    return new RunsPage(
        full.shell(),
        full.statuses(),
        full.agents(),
        full.actor(),
        full.actors(),
        false,
        List.of(),
        Days.strip(List.of(), NOW),
        full.start(),
        true,
        "",
        "",
        full.publicUrl());
  }

  static RunsPage refused() {
    RunsPage full = runs(3);
    return new RunsPage(
        full.shell(),
        full.statuses(),
        full.agents(),
        full.actor(),
        full.actors(),
        false,
        full.runs(),
        full.day(),
        new StartForm(
            full.start().agents(),
            "",
            "",
            List.of(new FieldError("task", "Say what the agent is to do.")),
            true),
        true,
        "",
        "",
        full.publicUrl());
  }

  private static List<Option> options(String... values) {
    List<Option> options = new ArrayList<>();
    for (String value : values) {
      options.add(new Option(value, value, false));
    }
    return options;
  }

  private static DayStrip day() {
    List<Days.Hour> hours = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      hours.add(
          new Days.Hour(
              i,
              (i * 7 + 3) % 11 * (i > 5 ? 2 : 0),
              i % 6 == 4 ? 2 : 0,
              i % 9 == 2 ? 1 : 0,
              i == 23 ? 3 : 0));
    }
    return Days.strip(hours, NOW);
  }

  static RunHead head(boolean live) {
    return new RunHead(
        "7f3a9c1e-0b4d-4f6a-9d8e-2f5a4c7b1e90",
        "7f3a9c1e",
        live ? "1" : "2",
        live ? RUNNING : FAILED,
        live ? "" : "the agent gave up after 3 tries",
        "builder",
        "grace",
        "ada",
        When.of(NOW.minusSeconds(192), NOW),
        live ? "3 min 12 s" : "3 min 40 s",
        live ? NOW.minusSeconds(192).toString() : "",
        List.of(
            new Fact("Compute", "48.2 s", "of 1 h", false),
            new Fact("Runtime", "Local processes", "small · directory", false),
            new Fact("Workspace", live ? "Ready" : "Released", live ? "" : "run ended", false),
            new Fact("Network", "Open", "", false)),
        live
            ? ""
            : "RefundTest fails because the clock is read twice. I could not push: no credential.",
        live,
        false);
  }

  static RunPage run(boolean live) {
    return new RunPage(
        shell("/runs/7f3a9c1e-0b4d-4f6a-9d8e-2f5a4c7b1e90"),
        head(live),
        "Fix the flaky test in payments/RefundTest and open a pull request",
        "Fix the flaky test in payments/RefundTest and open a pull request.\n\nIt fails about once"
            + " in 30 runs on CI:\n  expected 2026-02-28 but was 2026-03-01\nDo not change the"
            + " public API.",
        steps(live),
        6,
        true,
        "",
        "");
  }

  static List<StepView> steps(boolean live) {
    List<StepView> steps = new ArrayList<>();
    steps.add(
        new StepView.Said(
            1,
            "a",
            "+0.4 s",
            at(191),
            COMPLETED,
            "2.8 s",
            "",
            "I will look at the test first, then run it in a loop until it fails.",
            List.of(Fact.of("tokens", "1,204 in, 86 out"))));
    steps.add(
        new StepView.Notice(
            2,
            "a",
            "+3.2 s",
            at(189),
            "A workspace is being set up; a reply will follow.",
            List.of("No snapshots: every run clones.")));
    steps.add(
        call(
            3,
            "Run",
            CommandLine.of(
                List.of(
                    "git",
                    "clone",
                    "--depth",
                    "1",
                    "https://git.example.org/shop/payments.git",
                    ".")),
            "",
            COMPLETED,
            "exit 0",
            "4.1 s",
            out(
                "",
                "",
                "Cloning into '.'...\nremote: Enumerating objects: 412, done.\rremote: Enumerating objects: 1412, done.\r\nReceiving objects:  12% (50/412)\rReceiving objects: 100% (412/412), 1.20 MiB | 8.31 MiB/s, done.\nResolving deltas: 100% (118/118), done.\n"),
            List.of(),
            List.of()));
    steps.add(
        call(
            4,
            "Read",
            "src/test/java/payments/RefundTest.java",
            "",
            COMPLETED,
            "2.1 KiB",
            "6 ms",
            out(
                "",
                "",
                "package payments;\n\nclass RefundTest {\n\t@Test void refundsOnTheSameDay() {\n\t\tassertThat(refund().date()).isEqualTo(LocalDate.now());\n\t}\n}\n"),
            List.of(),
            List.of()));
    steps.add(
        call(
            5,
            "Run",
            "sh",
            "set -eu\nfor i in $(seq 1 40); do\n  ./gradlew test --tests RefundTest -q || exit 7\ndone",
            FAILED,
            "exit 7",
            "1 min 52 s",
            colourful(),
            List.of("1 secret value was redacted."),
            List.of(new StepView.Link("Whole stdout, 1.2 MiB", "/api/artifacts/y/stdout"))));
    steps.add(
        call(
            6,
            "Run",
            CommandLine.of(
                List.of("sh", "-c", "sleep 300 & echo started; printf '\\033]0;title\\007'")),
            "",
            COMPLETED,
            "exit 0",
            "41 ms",
            out(
                "",
                "",
                "started\n\u001b]0;title\u0007hostile: \u202egnp.exe \u0000 <script>alert(1)</script>\n"),
            List.of("1 process is still running in the background."),
            List.of()));
    steps.add(
        live
            ? new StepView.Called(
                7,
                "a",
                "+2 min 50 s",
                at(22),
                RUNNING,
                "22 s",
                NOW.minusSeconds(22).toString(),
                "workspace_exec",
                "Run",
                "./gradlew test",
                Folded.of(""),
                "",
                List.of(Fact.of("timeout", "2 min")),
                List.of(),
                List.of(),
                List.of())
            : call(
                7,
                "Write",
                "src/main/java/payments/Refund.java",
                "class Refund {\n  final Clock clock;\n}\n",
                COMPLETED,
                "2.3 KiB",
                "9 ms",
                List.of(),
                List.of(),
                List.of()));
    return steps;
  }

  private static When at(int secondsAgo) {
    return When.of(NOW.minusSeconds(secondsAgo), NOW);
  }

  private static StepView.Called call(
      int seq,
      String verb,
      String subject,
      String script,
      Badge state,
      String outcome,
      String took,
      List<StepView.Output> outputs,
      List<String> notes,
      List<StepView.Link> downloads) {
    return new StepView.Called(
        seq,
        "a",
        "+" + seq * 3 + ".2 s",
        at(180 - seq * 10),
        state,
        took,
        "",
        "workspace_exec",
        verb,
        VisibleText.line(subject),
        Folded.of(script),
        outcome,
        verb.equals("Run") ? List.of(new Fact("in", "/workspace", "", true)) : List.of(),
        outputs,
        notes,
        downloads);
  }

  private static List<StepView.Output> out(String label, String stderr, String stdout) {
    List<StepView.Output> outputs = new ArrayList<>();
    if (!stdout.isEmpty()) {
      outputs.add(new StepView.Output(label, false, Folded.of(stdout)));
    }
    if (!stderr.isEmpty()) {
      outputs.add(new StepView.Output("stderr", true, Folded.of(stderr)));
    }
    return outputs;
  }

  private static List<StepView.Output> colourful() {
    StringBuilder text =
        new StringBuilder("\u001b[1m> Task :compileJava\u001b[0m \u001b[32mUP-TO-DATE\u001b[0m\n");
    for (int i = 1; i <= 60; i++) {
      text.append("RefundTest > refundsOnTheSameDay() \u001b[32mPASSED\u001b[0m  run ")
          .append(i)
          .append("\n");
    }
    text.append("RefundTest > refundsOnTheSameDay() \u001b[1;31mFAILED\u001b[0m\n")
        .append(
            "  expected \u001b[36m2026-02-28\u001b[0m but was \u001b[33m2026-03-01\u001b[0m \u001b[41m day \u001b[0m \u001b[7minverse\u001b[0m \u001b[2mfaint\u001b[0m \u001b[38;5;208morange\u001b[0m\n");
    return out(
        "stdout",
        "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests. See the report at: file:///workspace/build/reports/tests/test/index.html\n",
        text.toString());
  }

  static Duration age(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
