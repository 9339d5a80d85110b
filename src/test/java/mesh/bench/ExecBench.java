package mesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import mesh.Canaries;
import mesh.ServerProcess;
import mesh.TestMesh.Client;
import org.springframework.util.FileSystemUtils;

/**
 * A command through the whole of Mesh (HTTP, token, steps on a durable PostgreSQL, authority,
 * redaction, clamp) on the local runtime, beside a bare ProcessBuilder in the same run: one caller,
 * then eight. Then the start to readiness, and the heap that 64 MiB of output takes.
 *
 * <p>{@code ./mvnw -q test-compile exec:exec@bench -Dbench=mesh.bench.ExecBench}
 */
public final class ExecBench {

  private static final int WARM_UP = 2_000;
  private static final int ROUNDS = 1_000;
  private static final int CALLERS = 8;

  private ExecBench() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Files.createTempDirectory("mesh-bench-");
    long started = System.nanoTime();
    try (var server = ServerProcess.begin(folder).ready()) {
      print("start to readiness, empty data directory", System.nanoTime() - started);
      var admin = server.admin();
      admin.post("/api/agents", "{\"slug\":\"bench\",\"name\":\"Bench\"}").ok();
      var token =
          admin
              .post("/api/runs", "{\"agent\":\"bench\",\"mode\":\"external\"}")
              .ok()
              .get("token")
              .asString();
      var agent = server.with(token);
      var mesh = (Callable<Void>) () -> exec(agent);
      var bare = (Callable<Void>) ExecBench::bare;

      both("bare ProcessBuilder, 1 caller", bare, "Mesh, 1 caller", mesh);
      throughput("bare ProcessBuilder", bare);
      throughput("Mesh", mesh);
      var granted = granted(server);
      both("Mesh, nothing granted, 1 caller", mesh, "Mesh, a token granted, 1 caller", granted);
      throughput("Mesh, a token granted", granted);
      heap(server, agent);
    }
    restart(folder);
    FileSystemUtils.deleteRecursively(folder);
  }

  /** The same by an agent whose every command is given a token. */
  private static Callable<Void> granted(ServerProcess server) {
    var admin = server.admin();
    admin.post("/api/agents", "{\"slug\":\"granted\",\"name\":\"Granted\"}").ok();
    admin
        .put(
            "/api/agents/granted/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(Canaries.fresh("ghp_")))
        .ok();
    var run = admin.post("/api/runs", "{\"agent\":\"granted\",\"mode\":\"external\"}").ok();
    var agent = server.with(run.get("token").asString());
    return () -> exec(agent);
  }

  private static Void exec(Client agent) {
    var result = agent.exec("echo", "hi");
    if (!result.get("stdout").asString().equals("hi\n")) {
      throw new IllegalStateException(result.toString());
    }
    return null;
  }

  private static Void bare() throws IOException, InterruptedException {
    var process = new ProcessBuilder("echo", "hi").redirectErrorStream(true).start();
    process.getOutputStream().close();
    var out = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0 || out.length != 3) {
      throw new IllegalStateException("echo failed");
    }
    return null;
  }

  /** Interleaved, so that both see the same machine. */
  private static void both(String first, Callable<Void> one, String second, Callable<Void> other)
      throws Exception {
    var firstNanos = new long[ROUNDS];
    var secondNanos = new long[ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      long a = timed(one);
      long b = timed(other);
      if (round >= 0) {
        firstNanos[round] = a;
        secondNanos[round] = b;
      }
    }
    var p50 = percentiles(first, firstNanos);
    var otherP50 = percentiles(second, secondNanos);
    System.out.printf("%-44s %.2f%n", "ratio of the medians", otherP50 / p50);
  }

  private static long timed(Callable<Void> call) throws Exception {
    long started = System.nanoTime();
    call.call();
    return System.nanoTime() - started;
  }

  private static double percentiles(String name, long[] nanos) {
    Arrays.sort(nanos);
    double p50 = nanos[nanos.length / 2] / 1e6;
    System.out.printf(
        "%-44s p50 %.2f ms   p99 %.2f ms%n", name, p50, nanos[nanos.length * 99 / 100] / 1e6);
    return p50;
  }

  private static void throughput(String name, Callable<Void> call) throws Exception {
    callsPerSecond(call, Duration.ofSeconds(8));
    System.out.printf(
        "%-44s %.0f exec/s%n", name + ", 8 callers", callsPerSecond(call, Duration.ofSeconds(6)));
  }

  private static double callsPerSecond(Callable<Void> call, Duration span) throws Exception {
    var done = new AtomicLong();
    long started = System.nanoTime();
    long end = started + span.toNanos();
    try (var callers = Executors.newFixedThreadPool(CALLERS)) {
      for (int i = 0; i < CALLERS; i++) {
        callers.submit(() -> {
          while (System.nanoTime() < end) {
            call.call();
            done.incrementAndGet();
          }
          return null;
        });
      }
    }
    return done.get() / ((System.nanoTime() - started) / 1e9);
  }

  /** The live heap (after a collection) while 64 MiB of output pass through, over that before. */
  private static void heap(ServerProcess server, Client agent) throws Exception {
    long before = server.liveHeapBytes();
    var caller =
        Thread.ofVirtual()
            .start(() -> agent.exec("sh", "-c", "head -c 67108864 /dev/zero | tr '\\0' x"));
    long peak = 0;
    long started = System.nanoTime();
    while (caller.isAlive()) {
      peak = Math.max(peak, server.liveHeapBytes());
    }
    System.out.printf(
        "%-44s %.1f MiB over %.1f MiB, in %.1f s%n",
        "live heap during 64 MiB of output",
        Math.max(0, peak - before) / 1048576.0,
        before / 1048576.0,
        (System.nanoTime() - started) / 1e9);
  }

  private static void restart(Path folder) {
    long started = System.nanoTime();
    try (var server = ServerProcess.begin(folder).ready()) {
      print("start to readiness, existing data", System.nanoTime() - started);
    }
  }

  private static void print(String name, long nanos) {
    System.out.printf("%-44s %.2f s%n", name, nanos / 1e9);
  }
}
