package mesh.simulator.modal;

import java.util.Map;
import modal.client.Sandbox;

/**
 * A creation as it was asked for.
 *
 * @param definition with the network access as it was received
 * @param environment from secrets of all kinds
 */
public record Created(
    String sandboxId,
    String appId,
    Sandbox definition,
    Map<String, String> tags,
    Map<String, String> environment) {

  public Created {
    tags = Map.copyOf(tags);
    environment = Map.copyOf(environment);
  }
}
