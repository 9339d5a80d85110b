package mesh.workspace;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** See {@link ComparedInventory}. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record ComparedInventoryJson(
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
    @Nullable String error) {

  static ComparedInventoryJson of(ComparedInventory it) {
    return new ComparedInventoryJson(
        it.backendKind(),
        it.startedAt(),
        it.endedAt(),
        it.ours(),
        it.unknown(),
        it.destroyed(),
        it.missing(),
        it.others(),
        it.unmarked(),
        it.destroyedEver(),
        it.error());
  }
}
