package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.NetworkAccessPage;
import mesh.dashboard.view.NetworkAccessPage.Builtin;
import mesh.dashboard.view.NetworkAccessPage.Choice;
import mesh.execution.catalog.DeclaredCapability;
import mesh.settings.AgentRuntimes;
import mesh.settings.EgressMode;
import mesh.settings.EgressSetting;
import mesh.settings.EgressUnreadable;
import mesh.settings.RuntimeSetting;
import mesh.settings.Uncontrolled;
import mesh.settings.WorkspaceEgress;
import org.springframework.stereotype.Component;

/** Puts the page about workspace network access together. */
@Component
class NetworkAccessPages {

  static final String DOMAINS = "domains";

  private final Frames frames;
  private final WorkspaceEgress egress;
  private final AgentRuntimes runtimes;

  NetworkAccessPages(Frames frames, WorkspaceEgress egress, AgentRuntimes runtimes) {
    this.frames = frames;
    this.egress = egress;
    this.runtimes = runtimes;
  }

  NetworkAccessPage page(HttpServletRequest request, Operator operator) {
    try {
      var setting = egress.current();
      return page(request, operator, setting, "", TypedEgress.of(setting), List.of());
    } catch (EgressUnreadable unreadable) {
      var trouble = String.valueOf(unreadable.getMessage());
      return page(request, operator, NOTHING, trouble, TypedEgress.of(NOTHING), List.of());
    }
  }

  /** What a form proposes if nothing can be said of what holds: the narrowest. */
  private static final EgressSetting NOTHING =
      new EgressSetting(EgressMode.ALLOWLIST, List.of(), Uncontrolled.REFUSE);

  /** The same with a form that was not taken. */
  NetworkAccessPage refused(
      HttpServletRequest request,
      Operator operator,
      TypedEgress typed,
      String error,
      List<String> lines) {
    var page = page(request, operator);
    return new NetworkAccessPage(
        page.shell(),
        List.of(),
        page.trouble(),
        page.mayChange(),
        List.of(new mesh.dashboard.view.FieldError(DOMAINS, error)),
        modes(typed.mode()),
        domains(typed, error),
        lines,
        uncontrolled(typed.uncontrolled()),
        page.builtin(),
        page.mesh(),
        page.effective(),
        page.runtimes());
  }

  private NetworkAccessPage page(
      HttpServletRequest request,
      Operator operator,
      EgressSetting setting,
      String trouble,
      TypedEgress typed,
      List<String> lines) {
    return new NetworkAccessPage(
        frames.shell(request, operator, "network-access"),
        Said.to(request),
        trouble,
        operator.role().covers(Role.ADMIN),
        List.of(),
        modes(typed.mode()),
        domains(typed, ""),
        lines,
        uncontrolled(typed.uncontrolled()),
        egress.builtin().entrySet().stream()
            .map(it -> new Builtin(it.getKey(), String.join(", ", it.getValue())))
            .toList(),
        egress.brokerHost().orElse(""),
        egress.effective(setting),
        runtimes.all().stream().map(it -> runtime(it, setting, trouble)).toList());
  }

  private static Field domains(TypedEgress typed, String error) {
    return new Field(
        DOMAINS,
        DOMAINS,
        "Your hosts",
        "One on each line: a whole name, such as example.com, or *.example.com for every name"
            + " below it, which does not include example.com itself. No ports, paths or addresses.",
        VisibleText.block(typed.domains()),
        error);
  }

  private static List<Choice> modes(String chosen) {
    return List.of(
        new Choice(
            "open", "Open", "Code in workspaces may connect to any host.", chosen.equals("open")),
        new Choice(
            "allowlist",
            "Allowlist",
            "Code may connect to the hosts on the list and to nothing else, as far as its runtime"
                + " can enforce that.",
            chosen.equals("allowlist")));
  }

  private static List<Choice> uncontrolled(String chosen) {
    return List.of(
        new Choice(
            "refuse",
            "Refuse",
            "No workspace is made there, and the run is told why.",
            chosen.equals("refuse")),
        new Choice(
            "allow",
            "Allow",
            "Workspaces are made there and may connect to any host.",
            chosen.equals("allow")));
  }

  private static NetworkAccessPage.Line runtime(
      RuntimeSetting runtime, EgressSetting setting, String trouble) {
    Optional<DeclaredCapability> control =
        runtime.capabilities().stream()
            .filter(it -> it.name().equals("egress_control") && it.present())
            .findFirst();
    return new NetworkAccessPage.Line(
        runtime.descriptor().title(),
        runtime.enabled(),
        control
            .map(it -> new Badge(Mark.GOOD, "Yes, by " + EgressWords.grade(it.grade())))
            .orElse(new Badge(Mark.QUIET, "No")),
        control.map(DeclaredCapability::staysOpen).orElse(""),
        outcome(control.isPresent(), setting, trouble));
  }

  private static Badge outcome(boolean controls, EgressSetting setting, String trouble) {
    if (!trouble.isEmpty()) {
      return new Badge(Mark.BAD, "Refused: no policy");
    }
    if (setting.mode() == EgressMode.OPEN) {
      return new Badge(Mark.QUIET, "Made, open");
    }
    if (controls) {
      return new Badge(Mark.GOOD, "Made, restricted");
    }
    return setting.uncontrolled() == Uncontrolled.REFUSE
        ? new Badge(Mark.BAD, "Refused")
        : new Badge(Mark.ATTENTION, "Made, open");
  }
}
