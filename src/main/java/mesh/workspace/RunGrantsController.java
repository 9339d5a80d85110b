package mesh.workspace;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import mesh.credential.Issuance;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** "What could this run see?" for operators. */
@RestController
class RunGrantsController {

  private final RunGrants grants;
  private final Runs runs;

  RunGrantsController(RunGrants grants, Runs runs) {
    this.grants = grants;
    this.runs = runs;
  }

  @GetMapping("/api/runs/{id}/grants")
  Answer grants(@PathVariable UUID id) {
    var run =
        runs.find(new RunId(id))
            .orElseThrow(
                () -> Problem.notFound("run_unknown", "There is no run %s.".formatted(id)));
    var seen = grants.of(run.id());
    return new Answer(
        id,
        run.agentSlug(),
        seen.issuances().stream().map(IssuanceAnswer::of).toList(),
        seen.vault(),
        seen.egress(),
        seen.workspace().map(WorkspaceView::backendKind).orElse(null),
        List.of());
  }

  /**
   * @param vault names of the entries that were delivered
   * @param egress null if the run never had a sandbox
   * @param repositories what the run's environment checked out
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Answer(
      UUID run,
      String agent,
      List<IssuanceAnswer> issuances,
      List<String> vault,
      @Nullable JsonNode egress,
      @Nullable String backendKind,
      List<String> repositories) {}

  /** See {@link Issuance}. */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record IssuanceAnswer(
      String provider,
      String credentialKind,
      long permissionRevision,
      boolean available,
      boolean current,
      Instant issuedAt) {

    static IssuanceAnswer of(Issuance issuance) {
      return new IssuanceAnswer(
          issuance.provider().word(),
          issuance.kind(),
          issuance.revision(),
          issuance.available(),
          issuance.current(),
          issuance.issuedAt());
    }
  }
}
