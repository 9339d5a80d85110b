package mesh.dashboard;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.dashboard.view.ActivityPage;
import mesh.dashboard.view.AgentPage;
import mesh.dashboard.view.AgentsPage;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Banner;
import mesh.dashboard.view.CredentialBlock;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.GrantsPage;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.ModelBlock;
import mesh.dashboard.view.ModelsPage;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.RuntimesPage;
import mesh.dashboard.view.SettingInput;
import mesh.dashboard.view.Shell;
import mesh.dashboard.view.VaultBlock;
import mesh.dashboard.view.When;
import mesh.dashboard.view.WorkspacesPage;

/** Pages about agents, workspaces and activity in which every text is the same one. */
final class LedgerSamples {

  private static final When THEN = When.of(Samples.NOW.minusSeconds(500), Samples.NOW);
  private static final String PROVIDER = "https://github.com/settings/tokens";

  private LedgerSamples() {}

  /** Each with the template that draws it. */
  static Map<String, Object> pages(String text, boolean mayChange) {
    Map<String, Object> pages = new LinkedHashMap<>();
    pages.put("agents", agents(text, mayChange));
    pages.put("agent", agent(text, mayChange));
    pages.put("grants", grants(text));
    pages.put("workspaces", workspaces(text, mayChange));
    pages.put("activity", activity(text));
    pages.put("runtimes", runtimes(text, mayChange));
    pages.put("models", models(text, mayChange));
    return pages;
  }

  private static AgentsPage agents(String text, boolean mayCreate) {
    return new AgentsPage(
        shell("agents"),
        List.of(
            new AgentsPage.Line(
                text,
                text,
                text,
                List.of(badge(text)),
                new AgentsPage.LastRun("/runs/1", badge(text), THEN)),
            new AgentsPage.Line(
                text, "", text, List.of(), new AgentsPage.LastRun("/runs?agent=a", null, null)),
            new AgentsPage.Line(text, "", text, List.of(), null)),
        mayCreate,
        true,
        List.of(new FieldError("slug", text)),
        field("slug", text, text),
        field("name", text, ""),
        "/agents?cursor=x",
        "/agents");
  }

  private static AgentPage agent(String text, boolean mayChange) {
    return new AgentPage(
        shell("agents"),
        text,
        text,
        List.of(new Fact(text, text, text, false), new Fact(text, text, "", true)),
        new SettingInput.Choice(field("runtime", "", text), List.of(new Option(text, text, true))),
        true,
        List.of(new Banner(Mark.GOOD, text, text)),
        List.of(new FieldError("github-token", text)),
        new ModelBlock(
            List.of(new Fact(text, text, text, true)),
            text,
            true,
            false,
            new SettingInput.Choice(
                field("model-connection", "", text), List.of(new Option(text, text, true))),
            field("model-model", text, text),
            field("model-instructions", text, text),
            List.of(field("model-max_steps", text, text))),
        List.of(credential("github", text, true), credential("gitlab", text, false)),
        new VaultBlock(
            List.of(new VaultBlock.Line(text, text, THEN, text, text, "/agents/a?entry=b")),
            true,
            field("vault-name", text, text),
            field("vault-value", "", text)),
        Samples.runs(2).runs(),
        mayChange);
  }

  private static ModelsPage models(String text, boolean mayChange) {
    var form =
        new ModelsPage.Form(
            true,
            List.of(new SettingInput.Line(field("new-name", text, text), text, true)),
            field("new-prices", text, text));
    return new ModelsPage(
        shell("models"),
        List.of(new Banner(Mark.GOOD, text, text)),
        List.of(new FieldError("new-name", text)),
        List.of(
            new ModelsPage.Card(
                "main",
                text,
                new Badge(Mark.GOOD, text),
                List.of(new Fact(text, text, text, true)),
                new ModelsPage.Test(new Badge(Mark.BAD, text), THEN, text, text, true),
                field("at-main-model", text, text),
                new ModelsPage.Form(
                    true,
                    List.of(new SettingInput.Secret(field("at-main-key", "", text), THEN, true)),
                    field("at-main-prices", text, text)),
                text,
                text,
                text)),
        form,
        mayChange);
  }

  private static RuntimesPage runtimes(String text, boolean mayChange) {
    List<SettingInput> inputs =
        List.of(
            new SettingInput.Line(field("alpha-line", text, text), text, true),
            new SettingInput.Secret(field("alpha-token", "", text), THEN, false),
            new SettingInput.Choice(
                field("alpha-choice", text, text), List.of(new Option(text, text, true))),
            new SettingInput.Toggle(field("alpha-toggle", text, text), true));
    return new RuntimesPage(
        shell("agent-runtimes"),
        List.of(new Banner(Mark.GOOD, text, text)),
        List.of(new FieldError("alpha-token", text)),
        true,
        List.of(
            runtime(
                "alpha",
                text,
                "",
                new RuntimesPage.Form(
                    true,
                    true,
                    true,
                    inputs,
                    text,
                    List.of(new RuntimesPage.Clear(text, text, text)))),
            runtime(
                "beta",
                text,
                text,
                new RuntimesPage.Form(false, true, false, List.of(), "", List.of()))),
        mayChange);
  }

  private static RuntimesPage.Card runtime(
      String name, String text, String warning, RuntimesPage.Form form) {
    return new RuntimesPage.Card(
        name,
        text,
        text,
        badge(text),
        true,
        warning,
        List.of(Fact.of(text, text)),
        List.of(new RuntimesPage.Ability(text, text)),
        List.of(text),
        new RuntimesPage.Test(
            badge(text), THEN, text, List.of(text), List.of(Fact.of(text, text)), List.of(text)),
        List.of(Fact.of(text, text)),
        form);
  }

  private static CredentialBlock credential(String key, String text, boolean set) {
    return new CredentialBlock(
        key,
        text,
        badge(text),
        set ? THEN : null,
        text,
        set ? text : "",
        List.of(new Fact(text, text, text, true)),
        text,
        set,
        text,
        PROVIDER,
        true,
        field(key + "-token", "", text),
        field(key + "-login", text, text),
        field(key + "-name", text, ""),
        field(key + "-email", text, ""));
  }

  private static GrantsPage grants(String text) {
    return new GrantsPage(
        shell("runs"),
        Samples.head(false),
        text,
        text,
        true,
        List.of(
            new GrantsPage.Issued(text, badge(text), 3, THEN, text, true, PROVIDER),
            new GrantsPage.Issued(text, badge(text), 1, THEN, text, false, PROVIDER)),
        List.of(text),
        text,
        List.of(text),
        List.of(Fact.of(text, text)),
        List.of(text));
  }

  private static WorkspacesPage workspaces(String text, boolean mayRelease) {
    WorkspacesPage.Line line =
        new WorkspacesPage.Line(
            text,
            text,
            badge(text),
            text,
            text,
            text,
            text,
            text,
            text,
            THEN,
            text,
            text,
            text,
            text);
    return new WorkspacesPage(
        shell("workspaces"),
        List.of(new Banner(Mark.ATTENTION, text, text)),
        List.of(
            new WorkspacesPage.Alive(
                line, THEN, text, List.of(new WorkspacesPage.Link(text, PROVIDER)))),
        List.of(line),
        List.of(line),
        List.of(new Option(text, text, true)),
        false,
        "/workspaces?cursor=x",
        "",
        mayRelease);
  }

  private static ActivityPage activity(String text) {
    return new ActivityPage(
        shell("activity"),
        List.of(),
        new ActivityPage.Filters(
            filter("agent", text, ""),
            filter("run", text, text),
            filter("actor", text, ""),
            filter("action", text, ""),
            filter("since", text, text)),
        List.of(text),
        true,
        List.of(
            new ActivityPage.Line(
                THEN,
                text,
                text,
                text,
                text,
                text,
                text,
                List.of(
                    new ActivityPage.Change(text, text, text),
                    new ActivityPage.Change(text, text, ""),
                    new ActivityPage.Change("", "", text)),
                text)),
        "/api/activity/export?format=csv",
        "/api/activity/export?format=jsonl",
        "/activity?cursor=x",
        "/activity");
  }

  private static Field filter(String id, String value, String error) {
    return new Field(id, id, "Label", "", value, error);
  }

  private static Field field(String id, String value, String error) {
    return new Field(id, id, "Label", "Hint", value, error);
  }

  private static Badge badge(String text) {
    return new Badge(Mark.ATTENTION, text);
  }

  private static Shell shell(String section) {
    Shell any = Samples.shell("/" + section);
    return new Shell(
        any.frame(), any.account(), any.role(), section, any.address(), "", any.banners());
  }
}
