package mesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import mesh.execution.BackendCatalog;
import mesh.execution.Command;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendName;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * What the local backend adds to starting a process: {@code echo hi} through it and through a bare
 * {@link ProcessBuilder}, turn by turn in one JVM; and 64 MiB of output.
 */
final class LocalExecBench {

  private static final int WARM_UP = 400;
  private static final int CALLS = 1200;
  private static final int ROUNDS = 3;

  private LocalExecBench() {}

  public static void main(String[] arguments) throws Exception {
    var root = Files.createTempDirectory("bench");
    try (var context = context()) {
      var config = new BackendConfig(Map.of("root", root.toString()));
      var catalog = context.getBean(BackendCatalog.class);
      try (var backend = catalog.open(new BackendName("local"), config).orElseThrow()) {
        var installation = new InstallationId("benchmark0");
        var sandbox =
            backend.acquire(
                SandboxSpec.of(
                    installation, UUID.randomUUID(), 1, Size.SMALL, Duration.ofHours(1)));
        measure(sandbox);
        ((Hibernator) backend).destroy(sandbox.ref());
      }
    }
    Files.delete(root.resolve(".lock"));
    Files.delete(root);
  }

  /** The adapters, with what the rest of Mesh gives them. */
  private static AnnotationConfigApplicationContext context() {
    var context = new AnnotationConfigApplicationContext();
    context.getBeanFactory().setConversionService(ApplicationConversionService.getSharedInstance());
    context.registerBean(SecureRandom.class);
    context.scan("mesh.execution");
    context.refresh();
    return context;
  }

  private static void measure(Sandbox sandbox) throws Exception {
    var echo = Command.of(List.of("echo", "hi"), sandbox.project(), Duration.ofSeconds(20));
    Callable<Boolean> through =
        () -> sandbox.exec(echo, (_, _) -> {}).equals(new Outcome.Exited(0, 0));
    var directory = Path.of(sandbox.project().value());
    Callable<Boolean> bare = () -> bare(directory);

    times(through, WARM_UP, 8);
    times(bare, WARM_UP, 8);
    for (var width : new int[] {1, 8}) {
      for (var round = 0; round < ROUNDS; round++) {
        print("bare ProcessBuilder", width, times(bare, CALLS, width));
        print("local backend", width, times(through, CALLS, width));
      }
    }
    much(sandbox);
  }

  private static boolean bare(Path directory) throws IOException, InterruptedException {
    var process = new ProcessBuilder("echo", "hi").directory(directory.toFile()).start();
    process.getOutputStream().close();
    var out = process.getInputStream().readAllBytes();
    process.getErrorStream().readAllBytes();
    return process.waitFor() == 0 && out.length == 3;
  }

  /** Nanoseconds each call took, sorted, and before them what all took together. */
  private static long[] times(Callable<Boolean> call, int calls, int width)
      throws InterruptedException, ExecutionException {
    var times = new long[calls + 1];
    var begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<Void>>();
      for (var lane = 0; lane < width; lane++) {
        var first = 1 + lane;
        running.add(
            threads.submit(() -> {
              for (var i = first; i <= calls; i += width) {
                var start = System.nanoTime();
                if (!call.call()) {
                  throw new IllegalStateException("a command went wrong");
                }
                times[i] = System.nanoTime() - start;
              }
              return null;
            }));
      }
      for (var lane : running) {
        lane.get();
      }
    }
    times[0] = System.nanoTime() - begun;
    Arrays.sort(times, 1, times.length);
    return times;
  }

  private static void print(String what, int width, long[] times) {
    var calls = times.length - 1;
    System.out.printf(
        "%-20s %d-way  p50 %6.2f ms  p99 %6.2f ms  %5.0f/s%n",
        what,
        width,
        times[1 + calls / 2] / 1e6,
        times[1 + calls * 99 / 100] / 1e6,
        calls / (times[0] / 1e9));
  }

  private static void much(Sandbox sandbox) throws InterruptedException {
    var counted = new AtomicLong();
    var most = new AtomicLong();
    var before = usedHeap();
    var start = System.nanoTime();
    sandbox.exec(
        Command.of(
            List.of("head", "-c", "67108864", "/dev/zero"),
            sandbox.project(),
            Duration.ofMinutes(1)),
        (_, bytes) -> {
          if (counted.getAndAdd(bytes.remaining()) % (8 << 20) < bytes.remaining()) {
            most.accumulateAndGet(usedHeap(), Math::max);
          }
        });
    System.out.printf(
        "%d MiB of output in %.0f ms with %.1f MiB of extra heap%n",
        counted.get() >> 20, (System.nanoTime() - start) / 1e6, (most.get() - before) / 1048576.0);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
