package mesh.execution;

import java.time.Instant;

/**
 * One sandbox as the vendor's own list has it.
 *
 * @param createdAt by the vendor's clock
 */
public record InventoryEntry(SandboxKey key, ExternalRef ref, Instant createdAt) {}
