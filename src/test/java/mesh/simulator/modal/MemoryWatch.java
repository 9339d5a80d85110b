package mesh.simulator.modal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ends containers whose processes together use more memory than the sandbox may: all at once, as
 * the vendor's do.
 */
final class MemoryWatch implements AutoCloseable {

  private static final Duration BETWEEN = Duration.ofMillis(25);

  /** How often one is looked at in which only the main command runs. */
  private static final int QUIET = 40;

  private final Supplier<List<ModalSandbox>> sandboxes;
  private final CountDownLatch closed = new CountDownLatch(1);

  MemoryWatch(Supplier<List<ModalSandbox>> sandboxes) {
    this.sandboxes = sandboxes;
    Thread.ofPlatform().name("modal-memory").daemon().start(this::watch);
  }

  private void watch() {
    try {
      for (var round = 0; ; round++) {
        var started = System.nanoTime();
        for (var sandbox : sandboxes.get()) {
          if (sandbox.container().runningCommands() > 0 || round % QUIET == 0) {
            check(sandbox);
          }
        }
        // However many there are, most of a processor is left to them.
        var took = System.nanoTime() - started;
        var pause = Math.max(BETWEEN.toNanos(), 3 * took);
        if (closed.await(pause, TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void check(ModalSandbox sandbox) {
    var limit = sandbox.memoryLimit();
    var proc = sandbox.container().running().map(it -> it.root().resolve("proc"));
    if (limit > 0 && proc.filter(it -> isOver(it, limit << 20)).isPresent()) {
      Thread.startVirtualThread(() -> sandbox.container().end(Results.outOfMemory(limit)));
    }
  }

  /** The cheap count has a process twice that is just being forked; the other one shares pages. */
  private static boolean isOver(Path proc, long limit) {
    return used(proc, "status", "RssAnon:") > limit
        && used(proc, "smaps_rollup", "Pss_Anon:") > limit;
  }

  /** Bytes that no file backs, of all processes. */
  private static long used(Path proc, String file, String field) {
    var sum = 0L;
    try (var processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (var process : processes) {
        sum += ofProcess(process.resolve(file), field);
      }
    } catch (IOException e) {
      // The container has just ended.
    }
    return sum;
  }

  private static long ofProcess(Path file, String field) {
    try {
      for (var line : Files.readAllLines(file, ISO_8859_1)) {
        if (line.startsWith(field)) {
          return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
        }
      }
    } catch (IOException e) {
      // It has just ended.
    }
    return 0;
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
