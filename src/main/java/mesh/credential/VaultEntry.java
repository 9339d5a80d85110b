package mesh.credential;

import java.time.Instant;

/**
 * What may be told of a vault entry: everything but its value.
 *
 * @param variable where a command finds the value
 * @param isShort whether the value is under 8 bytes, so that redacting it may fill output with
 *     markers
 * @param setBy the name of whoever set it
 */
public record VaultEntry(
    String name, String variable, boolean isShort, Instant setAt, String setBy) {}
