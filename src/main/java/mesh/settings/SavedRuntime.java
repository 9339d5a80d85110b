package mesh.settings;

import java.util.List;

/**
 * What a change led to.
 *
 * @param resetAgents slugs of agents whose pin ended because the backend was disabled
 */
public record SavedRuntime(RuntimeSetting runtime, List<String> resetAgents) {}
