package mesh.workspace;

import java.time.Instant;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * A command's whole output, redacted.
 *
 * @param complete false while the command runs, and for ever if storing it failed
 * @param removedAt when its bytes were removed; null while they are kept
 */
public record Artifact(
    ArtifactId id,
    RunId run,
    Instant createdAt,
    long stdoutBytes,
    long stderrBytes,
    boolean complete,
    @Nullable Instant removedAt) {}
