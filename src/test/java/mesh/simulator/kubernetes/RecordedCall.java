package mesh.simulator.kubernetes;

import java.time.Instant;
import java.util.Set;

/**
 * One request as it arrived, before it was authorised or a fault struck.
 *
 * @param path still percent-encoded
 * @param queryNames the query's names only: values hold command lines
 */
public record RecordedCall(
    CallKind kind, String method, String path, Set<String> queryNames, Instant at) {}
