package mesh.bench;

import java.time.Duration;
import java.util.stream.Stream;
import mesh.fault.ManyRuns;

/**
 * What 100, 300 and 1,000 runs at once cost one server with a heap of 512 MiB, each with a command
 * that runs in a sandbox of its own at the simulator, with faults and revocations. Says how long
 * one look at the authority of all of them takes, and whether any promise was broken.
 *
 * <p>{@code ./mvnw -q test-compile exec:exec@bench -Dbench=mesh.bench.ManyRunsBench}; takes half an
 * hour and some 10 GB of memory for the simulated sandboxes. {@code MESH_BENCH_RUNS=300,1000} in
 * the environment does only those.
 */
public final class ManyRunsBench {

  private static final Duration SPAN = Duration.ofSeconds(60);
  private static final Duration DECISIONS = Duration.ofSeconds(3);

  private ManyRunsBench() {}

  public static void main(String[] arguments) throws Exception {
    long seed = Long.getLong("mesh.fault.seed", System.nanoTime());
    System.out.println("seed " + seed);
    var wanted = System.getenv().getOrDefault("MESH_BENCH_RUNS", "100,300,1000");
    for (int runs : Stream.of(wanted.split(",")).mapToInt(Integer::parseInt).toArray()) {
      var figures = new ManyRuns(runs, SPAN, DECISIONS, seed, true).run();
      System.out.println(figures);
      figures.violations().forEach(System.out::println);
    }
  }
}
