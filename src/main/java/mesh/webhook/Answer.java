package mesh.webhook;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of one call to a receiver. */
sealed interface Answer {

  /** It took it. */
  record Taken(int status) implements Answer {}

  /** It is no more, and says so. */
  record Gone(String error) implements Answer {}

  /**
   * It did not take it, or nothing was heard of it.
   *
   * @param status null if nothing was answered
   * @param error a sentence; the receiver's words in it are short and without its secret
   * @param busy whether it asked to be left alone, which counts for everything sent there
   * @param retryAfter null if it did not say when to come again
   */
  record NotTaken(
      @Nullable Integer status, String error, boolean busy, @Nullable Duration retryAfter)
      implements Answer {}
}
