package mesh.agentapi;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import mesh.tool.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * Answers one call with server-sent events: what it prints as progress, if the client asked for
 * that, then its result. The call is made on a thread of its own, so that neither waits for the
 * other: a client that is slow misses output, and one that is gone is noticed though the call is
 * silent, which cancels it.
 */
final class McpStream {

  /** How often a silent connection is tried; one that was closed fails the second time. */
  private static final Duration PULSE = Duration.ofSeconds(2);

  /** Between two messages of progress. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final Duration FOREVER = Duration.ofDays(1);

  private final HttpServletResponse response;
  private final Cancellation cancellation;
  private final McpOutput output;
  private final @Nullable Object progressToken;
  private int told;

  /**
   * @param output of the call; stays empty without a {@code progressToken}
   * @param progressToken under which the client wants progress; null if it wants none
   */
  McpStream(
      HttpServletResponse response,
      Cancellation cancellation,
      McpOutput output,
      @Nullable Object progressToken) {
    this.response = response;
    this.cancellation = cancellation;
    this.output = output;
    this.progressToken = progressToken;
  }

  /** Returns when the call is over. */
  void answer(Supplier<JSONRPCResponse> call) throws IOException {
    var calling = new FutureTask<>(call::get);
    Thread.ofVirtual()
        .name("mcp-call")
        .start(() -> {
          calling.run();
          output.end();
        });
    try {
      follow();
      // Nobody waits for the answer to what was cancelled: the protocol wants none.
      if (cancellation.why().isEmpty()) {
        send(calling.get());
      }
    } catch (IOException gone) {
      cancellation.cancel("The caller hung up, which cancelled the call");
      awaitEnd();
    } catch (InterruptedException stopping) {
      cancellation.cancel("Mesh is stopping, which cancelled the call");
      awaitEnd();
      Thread.currentThread().interrupt();
    } catch (ExecutionException broken) {
      throw new IllegalStateException(broken.getCause());
    }
  }

  private void follow() throws IOException, InterruptedException {
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("UTF-8");
    response.setHeader("X-Accel-Buffering", "no");
    response.flushBuffer();
    while (!output.isOver()) {
      if (!output.await(PULSE)) {
        // A line by itself: some clients count an empty one as an event.
        write(":\n");
      } else if (tellProgress()) {
        output.awaitEnd(PAUSE);
      }
    }
    tellProgress();
  }

  private boolean tellProgress() throws IOException {
    var text = output.take();
    if (progressToken == null || text.isEmpty()) {
      return false;
    }
    told++;
    send(
        new JSONRPCNotification(
            McpSchema.METHOD_NOTIFICATION_PROGRESS,
            ProgressNotification.builder(progressToken, told).message(text).build()));
    return true;
  }

  private void send(McpSchema.JSONRPCMessage message) throws IOException {
    var json = new String(McpProtocol.bytes(message), StandardCharsets.UTF_8);
    write("event: message\ndata: " + json + "\n\n");
  }

  private void write(String text) throws IOException {
    response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    response.flushBuffer();
  }

  /** What the call does at its end is done before the server may be gone. */
  private void awaitEnd() {
    try {
      output.awaitEnd(FOREVER);
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }
}
