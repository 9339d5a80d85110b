package mesh.simulator.modal;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A command's standard input. What is sent again is dropped, by its offset, so that clients may
 * repeat a write whose answer they missed.
 */
final class StandardInput {

  private final OutputStream to;
  private final Object writing = new Object();
  private volatile long written;
  private volatile boolean closed;
  private volatile int stream;

  StandardInput(OutputStream to) {
    this.to = to;
  }

  /** How much of it the command has been given. */
  long written() {
    return written;
  }

  boolean isClosed() {
    return closed;
  }

  /** Begins a stream of writes, which ends any other. */
  synchronized int begin(long offset) {
    if (offset != written) {
      throw Refusal.precondition("the stream starts at " + offset + ", not at " + written);
    }
    return ++stream;
  }

  /** Ends a stream that may still be open somewhere. */
  synchronized void evict() {
    stream++;
  }

  boolean isCurrent(int id) {
    return id == stream;
  }

  /** Waits until the command, or the pipe to it, has taken everything. */
  void write(long offset, byte[] bytes) {
    synchronized (writing) {
      if (offset > written) {
        throw Refusal.precondition(
            "offset " + offset + " is past the " + written + " bytes so far");
      }
      var known = (int) Math.min(written - offset, bytes.length);
      if (known == bytes.length) {
        return;
      }
      if (closed) {
        throw Refusal.precondition("standard input is closed");
      }
      try {
        to.write(bytes, known, bytes.length - known);
        to.flush();
      } catch (IOException e) {
        throw Refusal.precondition("nobody reads standard input any more");
      }
      written += bytes.length - known;
    }
  }

  /** Nothing follows. */
  void close() {
    synchronized (writing) {
      if (!closed) {
        closed = true;
        try {
          to.close();
        } catch (IOException e) {
          // The command has ended before.
        }
      }
    }
  }
}
