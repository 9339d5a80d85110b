package mesh.workspace;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** Output kept whole: what there is, and its bytes, as a download that no browser interprets. */
@RestController
@RequestMapping("/api/artifacts/{id}")
class ArtifactController {

  private final Artifacts artifacts;

  ArtifactController(Artifacts artifacts) {
    this.artifacts = artifacts;
  }

  @GetMapping
  Answer one(@PathVariable UUID id) {
    var artifact = found(id);
    return new Answer(
        id,
        artifact.run().value(),
        artifact.createdAt(),
        artifact.stdoutBytes(),
        artifact.stderrBytes(),
        artifact.complete(),
        artifact.removedAt());
  }

  @GetMapping("/{channel:stdout|stderr}")
  void content(
      @PathVariable UUID id,
      @PathVariable String channel,
      @RequestParam(defaultValue = "0") long offset,
      @RequestParam(name = "max_bytes", defaultValue = "" + Long.MAX_VALUE) long maxBytes,
      HttpServletResponse response)
      throws IOException {
    if (offset < 0 || maxBytes < 0) {
      throw Problem.badRequest(
          "range_invalid", "offset and max_bytes are counted in bytes and cannot be negative.");
    }
    var artifact = found(id);
    if (artifact.removedAt() != null) {
      throw Problem.of(
          410,
          "artifact_removed",
          "This output was removed at %s, because it was older than outputs are kept."
              .formatted(artifact.removedAt()));
    }
    response.setContentType("application/octet-stream");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader(
        "Content-Disposition", "attachment; filename=\"" + id + "." + channel + ".txt\"");
    artifacts.copy(artifact.id(), channel, offset, maxBytes, response.getOutputStream());
  }

  private Artifact found(UUID id) {
    return artifacts
        .find(new ArtifactId(id))
        .orElseThrow(
            () -> Problem.notFound("artifact_unknown", "There is no artifact " + id + "."));
  }

  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Answer(
      UUID id,
      UUID run,
      Instant createdAt,
      long stdoutBytes,
      long stderrBytes,
      boolean complete,
      @Nullable Instant removedAt) {}
}
