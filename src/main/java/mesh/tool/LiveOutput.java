package mesh.tool;

/** Receives a tool's output while the call runs: already redacted, on the calling thread. */
@FunctionalInterface
public interface LiveOutput {

  /** For callers that only want the result. */
  LiveOutput NONE =
      new LiveOutput() {
        @Override
        public void accept(String channel, String text) {}

        @Override
        public boolean isFollowed() {
          return false;
        }
      };

  /**
   * @param channel {@code stdout} or {@code stderr}
   * @param text whole characters
   * @throws LiveOutputClosed if nobody listens any more; the call is then cancelled
   */
  void accept(String channel, String text);

  /**
   * Whether the caller itself follows it: then a call that waits for output goes on showing what
   * comes, else the first is enough.
   */
  default boolean isFollowed() {
    return true;
  }

  /** Whoever listened has gone. */
  final class LiveOutputClosed extends RuntimeException {
    public LiveOutputClosed(Throwable cause) {
      super("nobody listens to the output any more", cause);
    }
  }
}
