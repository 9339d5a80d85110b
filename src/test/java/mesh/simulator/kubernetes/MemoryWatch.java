package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Does what the kernel's control groups do, by counting: the memory that is of no file, of every
 * process of a container that has a limit, again and again.
 */
final class MemoryWatch implements AutoCloseable {

  private static final int EVERY_MILLIS = 25;

  private final Settings settings;
  private final Map<RunningContainer, Long> limits = new ConcurrentHashMap<>();
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("simulated-memory-", 0).factory());
  private boolean looking;

  MemoryWatch(Settings settings) {
    this.settings = settings;
  }

  synchronized void watch(RunningContainer container, long maxBytes) {
    limits.put(container, maxBytes);
    if (!looking) {
      looking = true;
      var _ = looks.scheduleWithFixedDelay(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    limits.keySet().removeIf(container -> !container.isRunning());
    limits.forEach(this::look);
  }

  private void look(RunningContainer container, long maxBytes) {
    if (isWithin(usedIn(container, "status", "RssAnon:"), maxBytes)) {
      return;
    }
    // The cheap count has a process twice that is just being forked; this one shares pages.
    var used = usedIn(container, "smaps_rollup", "Pss_Anon:");
    if (isWithin(used, maxBytes)) {
      return;
    }
    var largest = used.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    if (settings.outOfMemory() != OutOfMemory.KILLS_PROCESS || container.isMain(largest.getKey())) {
      container.runOutOfMemory();
      return;
    }
    try {
      container.inside().kill(largest.getKey());
    } catch (IOException e) {
      System.err.println("A process could not be killed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isWithin(Map<Integer, Long> used, long maxBytes) {
    return used.values().stream().mapToLong(it -> it).sum() <= maxBytes;
  }

  /** Bytes that no file backs, by process. */
  private static Map<Integer, Long> usedIn(RunningContainer container, String file, String field) {
    var used = new HashMap<Integer, Long>();
    try (var processes =
        Files.newDirectoryStream(container.inside().root().resolve("proc"), "[1-9]*")) {
      for (var process : processes) {
        used.put(
            Integer.valueOf(process.getFileName().toString()), bytes(process.resolve(file), field));
      }
    } catch (IOException | RuntimeException e) {
      // It has just ended.
      return Map.of();
    }
    return used;
  }

  private static long bytes(Path file, String field) {
    try {
      return Files.readAllLines(file, ISO_8859_1).stream()
          .filter(line -> line.startsWith(field))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .sum();
    } catch (IOException e) {
      // It has just ended.
      return 0;
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
  }
}
