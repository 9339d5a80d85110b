package mesh.workspace;

import java.time.Instant;
import mesh.run.RunId;

/**
 * A command's whole output, redacted.
 *
 * @param complete false while the command runs, and for ever if storing it failed
 */
public record Artifact(
    ArtifactId id,
    RunId run,
    Instant createdAt,
    long stdoutBytes,
    long stderrBytes,
    boolean complete) {}
