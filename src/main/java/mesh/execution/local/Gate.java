package mesh.execution.local;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import mesh.execution.BackendException;

/**
 * Lets one thread at a time, of all processes on this machine, change or list which sandboxes there
 * are below a root. Nobody stays inside for longer than a few renames take, and the kernel opens it
 * when a process ends, however that comes about.
 */
final class Gate {

  /** What a process that was stopped inside may cost the others at a time. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A file's lock belongs to a whole process, so that its threads have to take turns first. */
  private static final ReentrantLock TURN = new ReentrantLock();

  private static final String FILE = ".lock";

  private final Path root;

  Gate(Path root) {
    this.root = root;
  }

  @FunctionalInterface
  interface Passage<T> {
    T run() throws IOException;
  }

  /** The root must exist. */
  <T> T through(Passage<T> passage) throws IOException, InterruptedException {
    if (!TURN.tryLock(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
      throw busy();
    }
    try (var file = FileChannel.open(root.resolve(FILE), CREATE, WRITE)) {
      lock(file);
      return passage.run();
    } finally {
      TURN.unlock();
    }
  }

  private static void lock(FileChannel file) throws IOException, InterruptedException {
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (file.tryLock() == null) {
      if (System.nanoTime() > deadline) {
        throw busy();
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }

  private static BackendException busy() {
    return new BackendException.Unavailable(
        "another process of Mesh on this machine holds the folder for sandboxes",
        Duration.ZERO,
        null);
  }
}
