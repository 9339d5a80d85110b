package mesh.run;

import org.jspecify.annotations.Nullable;

/**
 * A run's part in its parent's budget, and what it gave to its own children.
 *
 * @param tokens the most that the run may use; null for what its agent may
 * @param computeSeconds the most that the run may use; null for what its agent may
 * @param tokensGiven promised to children that live, and used by those that ended
 * @param computeGiven seconds, the same way
 */
public record RunShare(
    @Nullable Long tokens, @Nullable Integer computeSeconds, long tokensGiven, int computeGiven) {

  /** What a run may use and whoever it spawns. */
  public long tokensLeft(long agents, long used) {
    return Math.max(0, (tokens == null ? agents : tokens) - tokensGiven - used);
  }

  public int computeLeft(int agents, double used) {
    return (int)
        Math.max(0, (computeSeconds == null ? agents : computeSeconds) - computeGiven - used);
  }
}
