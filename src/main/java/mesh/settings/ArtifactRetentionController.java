package mesh.settings;

import mesh.access.Operator;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** How long whole outputs are kept, for operators. */
@RestController
@RequestMapping("/api/settings/artifacts")
class ArtifactRetentionController {

  private final ArtifactRetention retention;

  ArtifactRetentionController(ArtifactRetention retention) {
    this.retention = retention;
  }

  @GetMapping
  Days read() {
    return new Days(retention.days());
  }

  @PutMapping
  Days save(@RequestBody Days change, @AuthenticationPrincipal Operator operator) {
    return new Days(retention.save(change.retentionDays(), operator.actor()));
  }

  /**
   * @param retentionDays must be there
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Days(@Nullable Integer retentionDays) {}
}
