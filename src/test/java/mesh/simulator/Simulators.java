package mesh.simulator;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import mesh.simulator.sprites.Mode;
import mesh.simulator.sprites.SpritesSimulator;

/**
 * Serves a simulator until it is stopped, by Ctrl-C or SIGTERM:
 *
 * <pre>{@code
 * ./mvnw -q test-compile exec:exec@simulator -Dsimulator=sprites -Dport=7799
 * }</pre>
 *
 * <p>The first line on standard output is {@code ready}, the second the base URL. The dialect is
 * the one the vendor's published client and people with curl get on with; with {@code
 * MESH_SIMULATOR_MODE=live} in the environment it is exactly what the live service was seen to say.
 */
public final class Simulators {

  private Simulators() {}

  /**
   * @param arguments the simulator's name, then the port (0 for any)
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 2 || !arguments[0].equals("sprites")) {
      System.err.println("Usage: sprites PORT");
      System.exit(2);
    }
    var simulator = SpritesSimulator.start(Integer.parseInt(arguments[1]));
    var live = "live".equals(System.getenv("MESH_SIMULATOR_MODE"));
    simulator.mode(live ? Mode.LIVE : Mode.SDK_FRIENDLY);
    Runtime.getRuntime().addShutdownHook(new Thread(simulator::close, "simulator-stop"));
    endWithMaven();
    System.out.println("ready");
    System.out.println(simulator.baseUrl());
    new CountDownLatch(1).await();
  }

  /** Maven's plugin leaves the program it started behind when Maven itself is told to stop. */
  private static void endWithMaven() {
    ProcessHandle.current()
        .parent()
        .filter(it -> it.info().command().filter(name -> name.endsWith("/java")).isPresent())
        .ifPresent(maven -> {
          var _ = maven.onExit().thenRun(() -> System.exit(0));
        });
  }
}
