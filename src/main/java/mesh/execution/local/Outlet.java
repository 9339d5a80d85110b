package mesh.execution.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import mesh.execution.OutputSink.Channel;

/**
 * Reads one pipe on a thread of its own and hands over one buffer at a time, so that a slow
 * receiver leaves the pipe full and the command waiting. Once discarding it reads on to the end for
 * the sake of whoever still writes.
 */
final class Outlet implements Runnable {

  /** As much as a Linux pipe holds. */
  static final int BUFFER_BYTES = 64 * 1024;

  private final Channel channel;
  private final InputStream in;
  private final BlockingQueue<Relay.Happening> happenings;
  private final Semaphore taken = new Semaphore(0);
  private volatile boolean discarding;
  private volatile boolean leaderExited;

  /**
   * How much of what is still to be read was written before the leader's exit was known; negative
   * while that is not known.
   */
  private long leadersRest = -1;

  Outlet(Channel channel, InputStream in, BlockingQueue<Relay.Happening> happenings) {
    this.channel = channel;
    this.in = in;
    this.happenings = happenings;
  }

  Channel channel() {
    return channel;
  }

  @Override
  public void run() {
    var buffer = new byte[BUFFER_BYTES];
    try (in) {
      int read;
      while ((read = in.read(buffer)) >= 0) {
        if (!discarding) {
          var bytes = ByteBuffer.wrap(buffer, 0, read).asReadOnlyBuffer();
          happenings.add(new Relay.Printed(this, bytes, mayBeLeaders(read)));
          taken.acquireUninterruptibly();
          measure();
        }
      }
    } catch (IOException _) {
      // Nothing more can be read: as good as the end.
    } finally {
      happenings.add(new Relay.Ended(this));
    }
  }

  private void measure() throws IOException {
    if (leaderExited && leadersRest < 0) {
      leadersRest = in.available();
    }
  }

  private boolean mayBeLeaders(int read) {
    if (leadersRest < 0) {
      return true;
    }
    var may = leadersRest > 0;
    leadersRest = Math.max(0, leadersRest - read);
    return may;
  }

  /** What is not in the pipe by now was written by others. */
  void leaderExited() {
    leaderExited = true;
  }

  /** The receiver is done with the buffer. */
  void take() {
    taken.release();
  }

  /** Nothing more is wanted. */
  void discard() {
    discarding = true;
    taken.release();
  }
}
