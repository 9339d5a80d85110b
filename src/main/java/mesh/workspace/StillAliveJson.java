package mesh.workspace;

import java.time.Instant;
import java.util.List;
import mesh.credential.Provider;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** See {@link StillAlive}. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record StillAliveJson(WorkspaceJson workspace, Instant since, List<Revocation> revokeAt) {

  static StillAliveJson of(StillAlive alive) {
    return new StillAliveJson(
        WorkspaceJson.of(alive.workspace()),
        alive.since(),
        alive.providers().stream().map(Revocation::at).toList());
  }

  /** Where a person ends the token itself. */
  record Revocation(String provider, String url) {
    static Revocation at(Provider provider) {
      return new Revocation(provider.word(), provider.revocationPage());
    }
  }
}
