package mesh.settings;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an operator sets, as it came; all of it replaces what was.
 *
 * @param mode {@code open} or {@code allowlist}; must be there
 * @param domains none if null
 * @param uncontrolled {@code refuse} if null
 */
public record EgressChange(
    @Nullable String mode,
    @Nullable List<@Nullable String> domains,
    @Nullable String uncontrolled) {}
