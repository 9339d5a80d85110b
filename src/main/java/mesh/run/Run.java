package mesh.run;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import org.jspecify.annotations.Nullable;

/**
 * One run of one agent.
 *
 * @param statusReason a sentence; null until the run has ended
 * @param input the task
 * @param summary what the agent said at the end; null if nothing
 * @param conversation null outside of a conversation
 * @param parent the run that spawned this one; null for a run of its own
 * @param continues the run whose work this one takes up; null if it starts anew
 * @param createdByName the actor's name when read
 * @param onBehalfOf who asked, in the words of whoever created the run; null if nobody else
 * @param startedAt null while queued
 * @param endedAt null while it has not ended
 * @param waited how long it waited for somebody, all in all, before it last went on
 */
public record Run(
    RunId id,
    AgentId agent,
    String agentSlug,
    RunStatus status,
    @Nullable String statusReason,
    RunMode mode,
    String input,
    @Nullable String summary,
    @Nullable UUID conversation,
    @Nullable RunId parent,
    @Nullable RunId continues,
    ActorId createdBy,
    String createdByName,
    @Nullable String onBehalfOf,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    Duration waited,
    RunUsage usage,
    RunShare share) {

  public boolean hasEnded() {
    return status.isTerminal();
  }
}
