package mesh.run;

import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import org.jspecify.annotations.Nullable;

/**
 * What a run is created from.
 *
 * @param input the task; at most {@value #MAX_INPUT} characters
 * @param conversation null outside of a conversation
 * @param parent the run that spawns this one, or null
 * @param continues the run whose work this one takes up, or null
 * @param onBehalfOf who asked, or null
 */
public record NewRun(
    AgentId agent,
    RunMode mode,
    String input,
    ActorId createdBy,
    @Nullable String onBehalfOf,
    @Nullable UUID conversation,
    @Nullable RunId parent,
    @Nullable RunId continues) {

  public static final int MAX_INPUT = 200_000;

  /** A run of its own: no conversation, no parent. */
  public static NewRun of(AgentId agent, RunMode mode, String input, ActorId createdBy) {
    return new NewRun(agent, mode, input, createdBy, null, null, null, null);
  }

  /** The same as a child of {@code run}. */
  public NewRun childOf(RunId run) {
    return new NewRun(agent, mode, input, createdBy, onBehalfOf, conversation, run, continues);
  }
}
