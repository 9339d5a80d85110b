package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;

/** The machine that containers run on: where they keep their files and their output. */
final class Worker {

  /** Of a command's stream, after which it waits for its reader; the vendor's own is unknown. */
  private static final long MOST_OUTPUT = 32L << 20;

  private static final long MOST_RECENT = 16L << 20;
  private static final Duration UNTIL_READ = Duration.ofSeconds(30);

  private final Path base;
  private final Images images;
  private final Timers timers;

  Worker(Path base, Timers timers) {
    this.base = base;
    this.images = new Images(base.resolve("images"));
    this.timers = timers;
  }

  Images images() {
    return images;
  }

  Timers timers() {
    return timers;
  }

  Path folder(String sandbox) {
    return base.resolve("sandboxes", sandbox);
  }

  /** For the output of a command, none of which may be missed, if it is wanted at all. */
  Spool spool(boolean wanted) {
    var overflow = wanted ? Spool.Overflow.WAIT : Spool.Overflow.DISCARD;
    return new Spool(base.resolve("output"), MOST_OUTPUT, overflow);
  }

  /** For the output of a main command, which the vendor forgets after a while. */
  Spool recent() {
    return new Spool(base.resolve("output"), MOST_RECENT, Spool.Overflow.FORGET);
  }

  /** Removes a container's files at once, and its output once those who read it had time to. */
  void clear(Path folder, Collection<Execution> executions) {
    timers.after(
        UNTIL_READ,
        () -> {
          for (var execution : executions) {
            execution.close();
          }
        });
    try {
      Deletion.of(folder);
    } catch (IOException e) {
      System.err.println("Not every file of a sandbox could be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  Path base() {
    return base;
  }

  void close() throws IOException, InterruptedException {
    Deletion.of(base);
    if (Files.exists(base)) {
      throw new IOException(base + " is still there");
    }
  }
}
