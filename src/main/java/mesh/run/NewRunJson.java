package mesh.run;

import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** What {@code POST /api/runs} takes. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record NewRunJson(
    @Nullable String agent,
    @Nullable String input,
    @Nullable UUID conversation,
    @Nullable UUID parentRun,
    @Nullable UUID continues,
    @Nullable String mode,
    @Nullable String onBehalfOf) {}
