package mesh.execution.sprites;

import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import mesh.execution.OutputSink.Channel;
import mesh.execution.remote.ExecChannel;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One open exec socket.
 *
 * <p>The JDK's client and not the one that {@link Rest} uses, because a reader may be slow: the
 * JDK's hands over a message only when asked and in pieces, so a slow reader holds the vendor's
 * process back by TCP alone, in constant memory. OkHttp reads by itself: its reader thread would
 * have to be blocked, would then not see the answers to its own pings behind the waiting output,
 * and would give up a connection whose reader paused for longer than the ping interval.
 *
 * <p>Used by one reader thread. The listener's methods are called by the client's only thread, one
 * at a time, and never wait.
 */
final class Session implements WebSocket.Listener, ExecChannel {

  /** Pieces of at most 16 KiB that may wait for the reader. */
  private static final int WINDOW = 32;

  private static final int FRAME = 32 * 1024;
  private static final int MOST_TEXT = 64 * 1024;
  private static final Duration PING = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(45);
  private static final JsonMapper JSON = new JsonMapper();

  private static final byte INPUT = 0;
  private static final byte END_OF_INPUT = 4;

  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final CompletableFuture<String> id = new CompletableFuture<>();
  private final StringBuilder text = new StringBuilder();
  private int stream = -1;
  private volatile long heard = System.nanoTime();
  private volatile boolean closed;
  private @Nullable Thread pinger;
  private @Nullable WebSocket socket;

  @Override
  public void onOpen(WebSocket opened) {
    opened.request(WINDOW);
  }

  /** Takes the socket that this listens to; called once. */
  void opened(WebSocket opened) {
    socket = opened;
    pinger = Thread.ofVirtual().name("sprites-ping").start(() -> pinging(opened));
  }

  /** Completed with the vendor's id of the session when we are attached to it. */
  CompletableFuture<String> id() {
    return id;
  }

  @Override
  public void send(List<byte[]> input) {
    var opened = open();
    Thread.ofVirtual()
        .name("sprites-input")
        .start(() -> {
          try {
            for (var bytes : input) {
              for (int at = 0; at < bytes.length; at += FRAME) {
                opened.sendBinary(frame(bytes, at), true).join();
              }
            }
            opened.sendBinary(ByteBuffer.wrap(new byte[] {END_OF_INPUT}), true).join();
          } catch (CompletionException gone) {
            // The reader learns of it by itself: a program that ends early leaves input unread.
          }
        });
  }

  private static ByteBuffer frame(byte[] bytes, int at) {
    int length = Math.min(FRAME, bytes.length - at);
    return ByteBuffer.allocate(length + 1).put(INPUT).put(bytes, at, length).flip();
  }

  @Override
  public @Nullable Event next(long nanos) throws InterruptedException {
    var event = events.poll(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
    if (event instanceof Output) {
      open().request(1);
    }
    return event;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
    heard = System.nanoTime();
    if (stream < 0 && data.hasRemaining()) {
      stream = data.get();
    }
    var channel = stream == 1 ? Channel.STDOUT : Channel.STDERR;
    if ((stream == 1 || stream == 2) && data.hasRemaining()) {
      var bytes = new byte[data.remaining()];
      data.get(bytes);
      events.add(new Output(channel, bytes));
    } else {
      if (stream == 3) {
        events.add(new Exited());
      }
      from.request(1);
    }
    if (last) {
      stream = -1;
    }
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    heard = System.nanoTime();
    if (text.length() + data.length() <= MOST_TEXT) {
      text.append(data);
    }
    if (last) {
      note(text.toString());
      text.setLength(0);
    }
    from.request(1);
    return null;
  }

  /** The exit message may come before the last output, so only the session's id is of use. */
  private void note(String message) {
    try {
      var json = JSON.readTree(message);
      if (json.path("type").asString("").equals("session_info")) {
        id.complete(json.path("session_id").asString(""));
      }
    } catch (JacksonException unknown) {
      // Unknown messages are to be ignored.
    }
  }

  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
    heard = System.nanoTime();
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
    heard = System.nanoTime();
    from.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    lost("the connection was closed with code " + code);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable trouble) {
    lost("the connection broke: " + trouble.getClass().getSimpleName());
  }

  private void lost(String why) {
    id.completeExceptionally(new IOException(why));
    events.add(new Broken(why));
  }

  /** Keeps the connection and the sprite awake through long silence, and notices a dead peer. */
  private void pinging(WebSocket opened) {
    while (!closed) {
      LockSupport.parkNanos(PING.toNanos());
      if (closed) {
        return;
      }
      // While the reader is behind, an answer may wait in the network: silence means nothing.
      if (events.size() < WINDOW && System.nanoTime() - heard > SILENCE.toNanos()) {
        lost("nothing was heard for " + SILENCE.toSeconds() + " s");
        opened.abort();
        return;
      }
      // The client may not notice by itself that the peer left while the reader was behind.
      var _ =
          opened
              .sendPing(ByteBuffer.allocate(0))
              .whenComplete((_, trouble) -> {
                if (trouble != null && !closed) {
                  lost("the connection broke");
                }
              });
    }
  }

  private WebSocket open() {
    if (socket == null) {
      throw new IllegalStateException("the session was not opened");
    }
    return socket;
  }

  /** Says good-bye without waiting: the vendor keeps its side open for seconds. */
  @Override
  public void close() {
    closed = true;
    if (pinger != null) {
      LockSupport.unpark(pinger);
    }
    if (socket != null) {
      var opened = socket;
      // Waits for input that is on its way, which a program that does not read may block for ever.
      var _ =
          opened
              .sendClose(WebSocket.NORMAL_CLOSURE, "")
              .orTimeout(2, TimeUnit.SECONDS)
              .whenComplete((_, _) -> opened.abort());
    }
  }
}
