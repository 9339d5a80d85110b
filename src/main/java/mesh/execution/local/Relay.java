package mesh.execution.local;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import mesh.execution.Command;
import mesh.execution.OutputSink;
import mesh.execution.OutputSink.Channel;

/** Hands a command's output to its sink until the leader is gone and its output delivered. */
final class Relay {

  /** What the threads around a command tell the one that runs it. */
  sealed interface Happening permits Printed, Ended, LeaderExited {}

  /**
   * Output.
   *
   * @param mayBeLeaders false if it was surely written after the leader's exit
   */
  record Printed(Outlet outlet, ByteBuffer bytes, boolean mayBeLeaders) implements Happening {}

  record Ended(Outlet outlet) implements Happening {}

  record LeaderExited(boolean timedOut) implements Happening {}

  /** How long after the drain to go without output before believing there is none left. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BlockingQueue<Happening> happenings;
  private final OutputSink sink;
  private final Set<Channel> open = EnumSet.allOf(Channel.class);

  Relay(BlockingQueue<Happening> happenings, OutputSink sink) {
    this.happenings = happenings;
    this.sink = sink;
  }

  /** Whether the leader was ended at its deadline. */
  boolean run() throws InterruptedException {
    while (true) {
      if (handle(happenings.take()) instanceof LeaderExited exited) {
        drain(System.nanoTime() + Command.DRAIN.toNanos());
        return exited.timedOut();
      }
    }
  }

  /**
   * Waits for both pipes to end until the deadline, and longer only for what the leader itself may
   * have left in them while the sink was slow.
   */
  private void drain(long deadline) throws InterruptedException {
    while (!open.isEmpty()) {
      var rest = deadline - System.nanoTime();
      var happening = happenings.poll(Math.max(rest, PAUSE_NANOS), TimeUnit.NANOSECONDS);
      if (happening == null) {
        return;
      }
      if (rest <= 0 && happening instanceof Printed printed && !printed.mayBeLeaders()) {
        open.remove(printed.outlet().channel());
        printed.outlet().discard();
      } else {
        handle(happening);
      }
    }
  }

  private Happening handle(Happening happening) {
    switch (happening) {
      case Printed printed -> {
        sink.accept(printed.outlet().channel(), printed.bytes());
        printed.outlet().take();
      }
      case Ended ended -> open.remove(ended.outlet().channel());
      case LeaderExited _ -> {}
    }
    return happening;
  }
}
