package mesh.workspace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * What the last comparison of one vendor's list with the rows found. Numbers are null until one
 * came to its end.
 *
 * @param endedAt null while the first is under way
 * @param ours sandboxes of this installation at the vendor
 * @param unknown of these, in no row; they are destroyed after a grace
 * @param destroyed of these, destroyed by that comparison
 * @param missing sandboxes in use that the vendor says are gone
 * @param others of other installations of Mesh; counted and left
 * @param unmarked made by hand or by other software; counted and left
 * @param destroyedEver how many were ever found in no row and destroyed; more than 0 means that
 *     something went wrong once
 * @param error why the last one came to nothing; null if it did not
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ComparedInventory(
    String backendKind,
    Instant startedAt,
    @Nullable Instant endedAt,
    @Nullable Integer ours,
    @Nullable Integer unknown,
    @Nullable Integer destroyed,
    @Nullable Integer missing,
    @Nullable Integer others,
    @Nullable Integer unmarked,
    long destroyedEver,
    @Nullable String error) {}
