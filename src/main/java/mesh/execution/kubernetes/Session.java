package mesh.execution.kubernetes;

import java.io.ByteArrayOutputStream;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import mesh.execution.OutputSink.Channel;
import mesh.execution.remote.ExecChannel;
import org.jspecify.annotations.Nullable;

/**
 * One open exec socket, version 4 or 5 of the cluster's protocol: frames that begin with the number
 * of a channel.
 *
 * <p>The JDK's client hands over a message only when asked and in pieces, so a slow reader holds
 * the program back by TCP alone, in constant memory. Used by one reader thread. The listener's
 * methods are called by the client's only thread, one at a time, and never wait.
 */
final class Session implements WebSocket.Listener, ExecChannel {

  static final String V5 = "v5.channel.k8s.io";
  static final String V4 = "v4.channel.k8s.io";

  /** Pieces of at most 16 KiB that may wait for the reader. */
  private static final int WINDOW = 64;

  private static final int MOST_AT_ONCE = 256 * 1024;
  private static final int FRAME = 32 * 1024;
  private static final int MOST_TEXT = 64 * 1024;
  private static final Duration PING = Duration.ofSeconds(20);
  private static final Duration SILENCE = Duration.ofSeconds(65);

  /** Output and status come by different ways, so the status may overtake. */
  private static final Duration STRAGGLERS = Duration.ofSeconds(2);

  /**
   * With more than this under way the cluster may be waiting for a program to read it, and then
   * answers no pings.
   */
  private static final int LITTLE_INPUT = 32 * 1024;

  private static final byte INPUT = 0;
  private static final int STDOUT = 1;
  private static final int STDERR = 2;
  private static final int STATUS = 3;
  private static final byte CLOSE = (byte) 255;
  private static final Output NUDGE = new Output(Channel.STDERR, new byte[0]);

  private final Thread user = Thread.currentThread();
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Greeting greeting = new Greeting();
  private final ByteArrayOutputStream status = new ByteArrayOutputStream();
  private int stream = -1;
  private volatile boolean told;
  private volatile boolean hasLittleInput = true;
  private volatile long heard = System.nanoTime();
  private volatile boolean closed;
  private @Nullable Thread pinger;
  private @Nullable WebSocket socket;
  private final Consumer<Session> atClose;

  /**
   * @param atClose told when this is closed
   */
  Session(Consumer<Session> atClose) {
    this.atClose = atClose;
  }

  @Override
  public void onOpen(WebSocket opened) {
    opened.request(WINDOW);
  }

  /** Takes the socket that this listens to; called once. */
  void opened(WebSocket opened) {
    socket = opened;
    pinger = Thread.ofVirtual().name("kubernetes-ping").start(() -> pinging(opened));
  }

  /** Completed when the program says that it runs, and in the right pod. */
  CompletableFuture<Long> greeted() {
    return greeting.arrived();
  }

  /** How often the kernel had killed for want of memory when it began; -1 if it does not say. */
  long kills() {
    return greeting.arrived().getNow(-1L);
  }

  /** Whether it was opened by the thread that asks, and so is used by it. */
  boolean isUsedHere() {
    return user == Thread.currentThread();
  }

  @Override
  public void send(List<byte[]> input) {
    var opened = open();
    hasLittleInput = input.stream().mapToInt(bytes -> bytes.length).sum() <= LITTLE_INPUT;
    Thread.ofVirtual()
        .name("kubernetes-input")
        .start(() -> {
          try {
            for (var bytes : input) {
              for (int at = 0; at < bytes.length; at += FRAME) {
                opened.sendBinary(frame(bytes, at), true).join();
              }
            }
            if (opened.getSubprotocol().equals(V5)) {
              opened.sendBinary(ByteBuffer.wrap(new byte[] {CLOSE, INPUT}), true).join();
            }
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
    long longest = Math.max(nanos, 0);
    var event = events.poll(longest, TimeUnit.NANOSECONDS);
    if (told && event instanceof Output(var _, var bytes) && bytes.length == 0) {
      event = events.poll(Math.min(longest, STRAGGLERS.toNanos()), TimeUnit.NANOSECONDS);
    }
    if (event instanceof Output output) {
      return merged(output);
    }
    return event == null && told ? new Exited() : event;
  }

  /** With what waits behind it: a reader that is slow at each piece takes fewer. */
  private Output merged(Output first) {
    var pieces = new ArrayList<byte[]>(List.of(first.bytes()));
    int length = first.bytes().length;
    while (events.peek() instanceof Output(var channel, var bytes)
        && channel == first.channel()
        && bytes.length > 0
        && length + bytes.length <= MOST_AT_ONCE) {
      events.remove();
      pieces.add(bytes);
      length += bytes.length;
    }
    open().request(pieces.size());
    if (pieces.size() == 1) {
      return first;
    }
    var all = ByteBuffer.allocate(length);
    pieces.forEach(all::put);
    return new Output(first.channel(), all.array());
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
    heard = System.nanoTime();
    if (stream < 0 && data.hasRemaining()) {
      stream = Byte.toUnsignedInt(data.get());
    }
    var bytes = new byte[data.remaining()];
    data.get(bytes);
    if (stream == STDOUT) {
      bytes = greeting.without(bytes);
    }
    if ((stream == STDOUT || stream == STDERR) && bytes.length > 0) {
      events.add(new Output(stream == STDOUT ? Channel.STDOUT : Channel.STDERR, bytes));
    } else {
      if (stream == STATUS && status.size() + bytes.length <= MOST_TEXT) {
        status.writeBytes(bytes);
      }
      from.request(1);
    }
    if (last) {
      if (stream == STATUS && status.size() > 0) {
        note(ExecStatus.parse(status.toString(StandardCharsets.UTF_8)));
      }
      stream = -1;
    }
    return null;
  }

  private void note(ExecStatus said) {
    status.reset();
    if (said.ended()) {
      greeting.refuse("it ended at once");
      told = true;
      events.add(NUDGE);
    } else {
      greeting.neverRuns(said.words());
      events.add(new Broken(said.words()));
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    heard = System.nanoTime();
    from.request(1);
    return null;
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
    greeting.refuse(why);
    events.add(told ? new Exited() : new Broken(why));
  }

  /** Keeps proxies from taking a long silence for the end, and notices a dead peer. */
  private void pinging(WebSocket opened) {
    while (!closed) {
      LockSupport.parkNanos(PING.toNanos());
      if (closed) {
        return;
      }
      // While the reader is behind, an answer may wait in the network: silence means nothing.
      if (hasLittleInput
          && events.size() < WINDOW
          && System.nanoTime() - heard > SILENCE.toNanos()) {
        lost("nothing was heard for " + SILENCE.toSeconds() + " s");
        opened.abort();
        return;
      }
      // The client may not notice by itself that the peer left while the reader was behind.
      var _ =
          opened
              .sendPing(ByteBuffer.allocate(0))
              .whenComplete((_, trouble) -> {
                if (trouble instanceof java.io.IOException && !closed) {
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

  /** Says good-bye without waiting: a program that never got its input ends by that. */
  @Override
  public void close() {
    closed = true;
    atClose.accept(this);
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
