package mesh.bench;

import java.io.IOException;
import java.util.Arrays;
import mesh.inference.ModelRounds;

/**
 * What one reply costs beside the model: a prompt of some size, sent and answered over the loopback
 * by the simulated services, whose own time is in it.
 */
final class ModelBench {

  private static final int WARM = 300;
  private static final int ROUNDS = 500;

  private ModelBench() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.out.printf("%-28s %8s %8s%n", "ms", "p50", "p99");
    for (var wire : new String[] {"ANTHROPIC", "OPENAI"}) {
      try (var rounds = new ModelRounds(wire)) {
        for (var turns : new int[] {0, 100}) {
          for (int i = 0; i < WARM; i++) {
            rounds.ask(turns);
          }
          var times = new long[ROUNDS];
          for (int i = 0; i < ROUNDS; i++) {
            var begun = System.nanoTime();
            rounds.ask(turns);
            times[i] = System.nanoTime() - begun;
          }
          Arrays.sort(times);
          System.out.printf(
              "%-28s %8.2f %8.2f%n",
              wire + ", after " + turns + " calls",
              times[ROUNDS / 2] / 1e6,
              times[ROUNDS * 99 / 100] / 1e6);
        }
      }
    }
  }
}
