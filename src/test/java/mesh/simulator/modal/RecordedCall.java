package mesh.simulator.modal;

import java.time.Instant;
import java.util.Map;

/**
 * One call as it arrived, before it was authorised or a fault struck.
 *
 * @param method the bare name, for example {@code SandboxCreateV2}
 * @param metadata by name, without those that hold secrets
 */
public record RecordedCall(String method, Map<String, String> metadata, Instant at) {
  public RecordedCall {
    metadata = Map.copyOf(metadata);
  }
}
