package mesh.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import mesh.credential.Issuance;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.GrantsPage.Issued;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.When;
import mesh.execution.catalog.BackendDescriptor;
import mesh.run.Run;
import mesh.run.RunMode;
import mesh.workspace.RunGrants.Seen;
import mesh.workspace.WorkspaceView;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** What a run could see, in words. */
@Component
class GrantViews {

  private final RuntimeNames runtimes;

  GrantViews(RuntimeNames runtimes) {
    this.runtimes = runtimes;
  }

  static String lead(Run run, Seen seen) {
    if (seen.workspace().isPresent()) {
      return "As Mesh wrote it down when it happened; nothing of it is worked out afterwards.";
    }
    if (!seen.issuances().isEmpty()) {
      return "This run reached for a sandbox but has none. It was issued what follows; no command"
          + " ran that could have used it.";
    }
    return run.hasEnded()
        ? "This run never had a sandbox: through Mesh it could see no credential, no vault entry"
            + " and no network."
        : "This run has no sandbox yet: so far it could see no credential, no vault entry and no"
            + " network. What it may see is decided when a tool first needs a sandbox.";
  }

  static Issued issued(Issuance issuance, Instant now) {
    return new Issued(
        issuance.provider().title(),
        state(issuance),
        issuance.revision(),
        When.of(issuance.issuedAt(), now),
        text(issuance),
        issuance.available(),
        issuance.provider().revocationPage());
  }

  private static Badge state(Issuance issuance) {
    if (!issuance.current()) {
      return new Badge(
          Mark.ATTENTION,
          issuance.available() ? "Was available, taken back since" : "Not available, out of date");
    }
    return issuance.available()
        ? new Badge(Mark.GOOD, "Available")
        : new Badge(Mark.QUIET, "Not available");
  }

  private static String text(Issuance issuance) {
    String had =
        issuance.available()
            ? "Its commands could use the agent's %s credential."
                .formatted(issuance.provider().title())
            : "It got no %s credential: none was set, delivery was off, or its runtime takes none."
                .formatted(issuance.provider().title());
    return had
        + (issuance.current()
            ? " Nothing was changed since."
            : " Credential or permission were changed since, so its sandbox may not be used any"
                + " more.");
  }

  static String network(@Nullable JsonNode egress) {
    if (egress == null) {
      return "";
    }
    if (!isOpen(egress)) {
      var grade = egress.path("grade").asString("");
      var by =
          grade.isEmpty() ? "" : ", as far as the %s tells".formatted(EgressWords.grade(grade));
      return hosts(egress).isEmpty()
          ? "It was kept from every host%s.".formatted(by)
          : "It was kept to these hosts%s:".formatted(by);
    }
    return egress.path("uncontrolled").asBoolean(false)
        ? "Open: it could connect anywhere, because its runtime cannot keep the allowlist."
        : "Open: it could connect anywhere.";
  }

  static List<String> hosts(@Nullable JsonNode egress) {
    List<String> hosts = new ArrayList<>();
    if (egress != null && !isOpen(egress)) {
      egress.path("domains").forEach(it -> hosts.add(VisibleText.line(it.asString(""))));
    }
    return hosts;
  }

  private static boolean isOpen(JsonNode egress) {
    return egress.path("mode").asString("").equals("open");
  }

  List<Fact> runtime(Seen seen) {
    return seen.workspace().map(this::runtime).orElse(List.of());
  }

  private List<Fact> runtime(WorkspaceView workspace) {
    String kind = Objects.requireNonNullElse(workspace.backendKind(), "");
    List<Fact> facts = new ArrayList<>();
    facts.add(Fact.of("Runtime", VisibleText.line(runtimes.title(kind))));
    runtimes
        .find(kind)
        .ifPresent(it -> facts.add(Fact.of("Kept apart by", WorkspaceFacts.isolation(it))));
    facts.add(Fact.of("State now", WorkspaceLines.badge(workspace.state()).word()));
    return facts;
  }

  /** What Mesh cannot rule out. */
  List<String> residue(Run run, Seen seen) {
    List<String> residue = new ArrayList<>();
    warning(seen).ifPresent(residue::add);
    if (seen.workspace().isPresent()) {
      residue.add(
          "What its commands could read they could also copy: into files, into output in another"
              + " form, or to any host they could reach. Redaction takes known values out of output;"
              + " it is no barrier against code that means to leak a token.");
    }
    if (seen.issuances().stream().anyMatch(Issuance::available)) {
      residue.add(
          "Taking a credential back in Mesh does not end copies of it. They end when the token is"
              + " revoked at its provider.");
    }
    residue.add(
        run.mode() == RunMode.EXTERNAL
            ? "The agent itself ran outside of Mesh. What it saw there Mesh cannot tell."
            : "The task and what its tools answered went to the agent's model.");
    return residue;
  }

  private Optional<String> warning(Seen seen) {
    return seen.workspace()
        .map(it -> Objects.requireNonNullElse(it.backendKind(), ""))
        .flatMap(runtimes::find)
        .map(BackendDescriptor::warning)
        .filter(it -> !it.isBlank());
  }
}
