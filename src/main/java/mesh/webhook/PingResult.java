package mesh.webhook;

import org.jspecify.annotations.Nullable;

/**
 * What came of a {@code ping}.
 *
 * @param ok whether the receiver took it
 * @param status what it answered; null if nothing
 * @param error null if it took it
 * @param millis how long it took
 */
public record PingResult(
    boolean ok, @Nullable Integer status, @Nullable String error, long millis) {}
