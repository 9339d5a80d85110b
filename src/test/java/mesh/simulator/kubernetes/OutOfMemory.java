package mesh.simulator.kubernetes;

/** What happens to a container whose processes use more than its limit. */
public enum OutOfMemory {
  /** All of it ends and is {@code OOMKilled}, 137: control groups version 2, the default. */
  KILLS_CONTAINER,

  /** As above, but the exit code told is 0, as some runtimes get it wrong. */
  KILLS_CONTAINER_AND_SAYS_ZERO,

  /** Its largest process is killed and nothing is told: control groups version 1. */
  KILLS_PROCESS
}
