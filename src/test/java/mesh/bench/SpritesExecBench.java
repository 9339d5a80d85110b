package mesh.bench;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.InstallationId;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.sprites.SpritesBackends;
import mesh.simulator.sprites.SpritesSimulator;

/**
 * Times the Sprites adapter against the simulator on the same machine, and beside it the least that
 * the simulator's way of starting processes costs.
 *
 * <pre>{@code ./mvnw -q test-compile exec:exec@bench -Dbench=mesh.bench.SpritesExecBench}</pre>
 */
final class SpritesExecBench {

  private static final int WARM_UP = 50;
  private static final int RUNS = 300;
  private static final int MEBIBYTE = 1024 * 1024;

  private final Sandbox sandbox;

  private SpritesExecBench(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  public static void main(String[] arguments) throws Exception {
    var installation = new InstallationId("bench00000");
    try (var simulator = SpritesSimulator.start(0);
        var backend = SpritesBackends.open(simulator.baseUrl(), simulator.token())) {
      var id = UUID.nameUUIDFromBytes(new byte[] {1});
      long start = System.nanoTime();
      var sandbox =
          backend.acquire(SandboxSpec.of(installation, id, 1, Size.SMALL, Duration.ofHours(1)));
      System.out.printf("acquire              %8.1f ms%n", millis(System.nanoTime() - start));
      new SpritesExecBench(sandbox).run();
    }
  }

  private void run() throws Exception {
    print("echo hi, one by one", times(() -> exec("echo", "hi")));
    print("bare process start", times(SpritesExecBench::bare));
    print("write 1 KiB", times(() -> write(1024)));
    print("read 1 KiB", times(() -> read(1024)));
    eightAtOnce();
    rate("20 MiB of output", 20, () -> exec("head", "-c", "20971520", "/dev/zero"));
    rate("20 MiB written, two files", 20, () -> write(10 * MEBIBYTE) + write(10 * MEBIBYTE));
    rate("20 MiB read, two files", 20, () -> read(10 * MEBIBYTE) + read(10 * MEBIBYTE));
  }

  private long exec(String... argv) throws InterruptedException {
    var counted = new AtomicLong();
    var command = Command.of(List.of(argv), sandbox.project(), Duration.ofMinutes(1));
    sandbox.exec(command, (_, bytes) -> counted.addAndGet(bytes.remaining()));
    return counted.get();
  }

  private static long bare() throws Exception {
    return new ProcessBuilder("echo", "hi").start().waitFor();
  }

  private long write(int size) throws InterruptedException {
    var content = new byte[size];
    new SecureRandom().nextBytes(content);
    sandbox.write(sandbox.project().resolve("f"), content, FileMode.KEEP);
    return size;
  }

  private long read(int size) throws InterruptedException {
    var read = (FileRead.Content) sandbox.read(sandbox.project().resolve("f"), 0, size);
    return read.bytes().length;
  }

  private void eightAtOnce() throws Exception {
    long start = System.nanoTime();
    try (var threads = Executors.newFixedThreadPool(8)) {
      var running =
          IntStream.range(0, RUNS).mapToObj(_ -> threads.submit(() -> exec("echo", "hi"))).toList();
      for (Future<Long> one : running) {
        one.get();
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("echo hi, 8 at once   %8.0f /s%n", RUNS / seconds);
  }

  private static long[] times(Callable<Long> what) throws Exception {
    for (int run = 0; run < WARM_UP; run++) {
      what.call();
    }
    var times = new long[RUNS];
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      what.call();
      times[run] = System.nanoTime() - start;
    }
    Arrays.sort(times);
    return times;
  }

  private static void print(String what, long[] times) {
    System.out.printf(
        "%-20s p50 %6.1f ms  p99 %6.1f ms%n",
        what, millis(times[times.length / 2]), millis(times[times.length * 99 / 100]));
  }

  private static void rate(String what, int mebibytes, Callable<Long> call) throws Exception {
    long start = System.nanoTime();
    long bytes = call.call();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%-26s %6.0f MiB/s (%d bytes in %.2f s)%n", what, mebibytes / seconds, bytes, seconds);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }
}
