package mesh.execution.modal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import mesh.execution.BackendException;
import mesh.execution.OutputSink.Channel;
import mesh.execution.remote.ExecChannel;
import org.jspecify.annotations.Nullable;

/**
 * What is heard of one program: two streams that are each resumed where they were cut, by a thread
 * each that waits while the reader is behind.
 *
 * <p>The vendor is not asked how the program ended: the script reports that on its own streams, and
 * is believed once both have it.
 */
final class Session implements ExecChannel {

  /** Messages that may wait for the reader; the vendor's are of 64 KiB or so. */
  private static final int WINDOW = 16;

  /** Most input in one message: a quarter of what servers of this protocol take unless told. */
  private static final int PIECE = 1 << 20;

  /** How long an exit may take to be known once nobody holds the streams any more. */
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final Program program;
  private final ModalApi api;
  private final Ambience ambience;
  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(WINDOW);
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong received = new AtomicLong();
  private int ended;

  private Session(Program program, ModalApi api, Ambience ambience) {
    this.program = program;
    this.api = api;
    this.ambience = ambience;
  }

  /** Begins to listen to a program that was started. */
  static Session of(Program program, ModalApi api, Ambience ambience) {
    var session = new Session(program, api, ambience);
    for (var channel : Channel.values()) {
      session.begin("modal-output", () -> session.read(channel));
    }
    session.begin("modal-pulse", new Pulse(program, ambience, session)::watch);
    return session;
  }

  /** Work that is given up when the session is closed. */
  private interface Work {
    void run() throws InterruptedException;
  }

  private void begin(String name, Work work) {
    threads.add(
        Thread.ofVirtual()
            .name(name)
            .start(() -> {
              try {
                work.run();
              } catch (InterruptedException closed) {
                // Nobody listens any more.
              }
            }));
  }

  private void read(Channel channel) throws InterruptedException {
    var stamina = new Stamina(ambience.pause());
    var offset = new AtomicLong();
    try {
      stamina.through(() -> {
        program.read(
            channel,
            offset::get,
            bytes -> {
              if (!bytes.isEmpty()) {
                events.put(new Output(channel, bytes.toByteArray()));
                offset.addAndGet(bytes.size());
                received.addAndGet(bytes.size());
                stamina.progressed();
              }
            });
        return true;
      });
      events.put(new Exited());
    } catch (StatusRuntimeException | BackendException lost) {
      broke("its output could not be read to the end: " + reason(lost));
    }
  }

  private String reason(RuntimeException lost) {
    return lost instanceof StatusRuntimeException failed
        ? program.routers().words(failed)
        : String.valueOf(lost.getMessage());
  }

  /** Tells the reader, behind all output so far, that nothing more will come. */
  void broke(String why) throws InterruptedException {
    events.put(new Broken(why));
  }

  /** How many bytes of output came so far. */
  long received() {
    return received.get();
  }

  /** Whether the reader has taken whatever came. */
  boolean isTaken() {
    return events.isEmpty();
  }

  @Override
  public void send(List<byte[]> input) {
    var all =
        input.stream()
            .map(UnsafeByteOperations::unsafeWrap)
            .reduce(ByteString.EMPTY, ByteString::concat);
    begin("modal-input", () -> write(all));
  }

  private void write(ByteString all) throws InterruptedException {
    var stamina = new Stamina(ambience.pause());
    var sent = new AtomicLong();
    try {
      stamina.through(() -> {
        boolean isLast = false;
        while (!isLast) {
          int from = sent.intValue();
          int to = Math.min(all.size(), from + PIECE);
          isLast = to == all.size();
          program.write(from, all.substring(from, to), isLast);
          sent.set(to);
          stamina.progressed();
        }
        return true;
      });
    } catch (StatusRuntimeException | BackendException refused) {
      if (refused instanceof StatusRuntimeException failed && !Calls.mayPass(failed)) {
        // A program that ends early leaves input unread; its streams tell how it ended.
        return;
      }
      broke("its input could not be sent: " + reason(refused));
    } catch (InterruptedException closed) {
      Thread.ofVirtual().name("modal-input-end").start(() -> endInput(sent.get()));
      throw closed;
    }
  }

  /** Closing ends no program here: one that still waits for its first line would wait for ever. */
  private void endInput(long offset) {
    try {
      program.write(offset, ByteString.EMPTY, true);
    } catch (StatusRuntimeException | BackendException | InterruptedException gone) {
      // Then nobody waits.
    }
  }

  @Override
  public @Nullable Event next(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    while (ended < Channel.values().length) {
      var event = events.poll(Math.max(end - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
      if (!(event instanceof Exited)) {
        return event;
      }
      ended++;
      if (ended == Channel.values().length) {
        awaitExit(end - System.nanoTime());
      }
    }
    return new Exited();
  }

  /**
   * Lets the end be known whose sign the end of the streams was: if it was the sandbox's own, the
   * vendor is about to say why.
   */
  private void awaitExit(long nanos) throws InterruptedException {
    var limit = Duration.ofNanos(Math.max(0, Math.min(nanos, FAREWELL.toNanos())));
    try {
      program.awaitExit(limit);
    } catch (StatusRuntimeException | BackendException unknown) {
      try {
        var _ = api.isFinished(program.sandbox(), limit);
      } catch (BackendException unreachable) {
        // Whoever asks next is told so.
      }
    }
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}
