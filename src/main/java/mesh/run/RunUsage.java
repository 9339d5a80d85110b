package mesh.run;

/**
 * What the model took that drove a run; what it spawned has its own.
 *
 * @param modelCalls replies
 * @param inputTokens read, all of them
 * @param cachedInputTokens those of {@code inputTokens} that a cache had
 * @param outputTokens said
 * @param costMicros millionths of the currency of the connection's prices; 0 without prices
 */
public record RunUsage(
    int modelCalls, long inputTokens, long cachedInputTokens, long outputTokens, long costMicros) {

  public static final RunUsage NONE = new RunUsage(0, 0, 0, 0, 0);

  public long tokens() {
    return inputTokens + outputTokens;
  }
}
