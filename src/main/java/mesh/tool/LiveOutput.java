package mesh.tool;

/** Receives a tool's output while the call runs: already redacted, on the calling thread. */
@FunctionalInterface
public interface LiveOutput {

  /** For callers that only want the result. */
  LiveOutput NONE = (_, _) -> {};

  /**
   * @param channel {@code stdout} or {@code stderr}
   * @param text whole characters
   * @throws LiveOutputClosed if nobody listens any more; the call is then cancelled
   */
  void accept(String channel, String text);

  /** Whoever listened has gone. */
  final class LiveOutputClosed extends RuntimeException {
    public LiveOutputClosed(Throwable cause) {
      super("nobody listens to the output any more", cause);
    }
  }
}
