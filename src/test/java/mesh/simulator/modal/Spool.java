package mesh.simulator.modal;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One stream's output, which can be read from any offset while it grows and after it has ended: the
 * first bytes from memory, the rest from a file that goes round and round.
 */
final class Spool implements AutoCloseable {

  /** What to do with more than the bound. */
  enum Overflow {
    /** Whoever writes waits until somebody has read it. */
    WAIT,
    /** The oldest is forgotten. */
    FORGET,
    /** Nothing is kept at all. */
    DISCARD
  }

  private static final int IN_MEMORY = 32 * 1024;

  private final Path folder;
  private final long bound;
  private final Overflow overflow;
  private byte[] head = new byte[0];

  /** No channel: one is closed for good when a thread is interrupted that reads it. */
  private @Nullable RandomAccessFile file;

  private long written;
  private long read;
  private boolean ended;
  private boolean closed;

  /**
   * @param folder where the file may be made once it is needed
   */
  Spool(Path folder, long bound, Overflow overflow) {
    this.folder = folder;
    this.bound = bound;
    this.overflow = overflow;
  }

  synchronized void write(byte[] bytes, int length) throws IOException, InterruptedException {
    var offset = overflow == Overflow.DISCARD ? length : 0;
    while (offset < length && !closed) {
      var room = overflow == Overflow.WAIT ? bound - (written - read) : length;
      if (room <= 0) {
        wait();
        continue;
      }
      var count = (int) Math.min(length - offset, room);
      store(bytes, offset, count);
      offset += count;
      notifyAll();
    }
  }

  private void store(byte[] bytes, int offset, int length) throws IOException {
    if (file == null && written + length <= IN_MEMORY) {
      if (head.length < written + length) {
        head = Arrays.copyOf(head, (int) Math.min(IN_MEMORY, 2 * (written + length)));
      }
      System.arraycopy(bytes, offset, head, (int) written, length);
      written += length;
      return;
    }
    var to = file == null ? open() : file;
    var stored = 0;
    while (stored < length) {
      var place = written % bound;
      var part = (int) Math.min(length - stored, bound - place);
      to.seek(place);
      to.write(bytes, offset + stored, part);
      stored += part;
      written += part;
    }
  }

  private RandomAccessFile open() throws IOException {
    var path = Files.createDirectories(folder).resolve(UUID.randomUUID().toString());
    var opened = new RandomAccessFile(path.toFile(), "rw");
    // It is there as long as it is open.
    Files.delete(path);
    opened.write(head, 0, (int) written);
    head = new byte[0];
    file = opened;
    return opened;
  }

  /** There is no more to come. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /**
   * What there is at an offset.
   *
   * @param offset later than was asked for if what was there is forgotten
   * @param bytes empty if there is nothing, ever
   */
  record Chunk(long offset, byte[] bytes) {}

  /** Waits for what follows {@code offset}. */
  synchronized Chunk read(long offset, int most) throws IOException, InterruptedException {
    while (written <= offset && !ended && !closed) {
      wait();
    }
    var start = Math.max(offset, written - bound);
    if (written <= start || closed) {
      return new Chunk(offset, new byte[0]);
    }
    var length = (int) Math.min(most, written - start);
    advance(start);
    if (file == null) {
      return new Chunk(start, Arrays.copyOfRange(head, (int) start, (int) start + length));
    }
    var place = start % bound;
    var to = new byte[(int) Math.min(length, bound - place)];
    file.seek(place);
    file.readFully(to);
    return new Chunk(start, to);
  }

  /** Who asks for what follows has what is before, so that may be written over. */
  private void advance(long offset) {
    if (offset > read) {
      read = offset;
      notifyAll();
    }
  }

  /** Forgets everything; whoever reads is at the end. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    notifyAll();
    if (file != null) {
      file.close();
    }
  }
}
