package mesh.simulator;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import mesh.simulator.kubernetes.KubernetesSimulator;
import mesh.simulator.modal.ModalSimulator;
import mesh.simulator.model.ModelSimulator;
import mesh.simulator.sprites.Mode;
import mesh.simulator.sprites.SpritesSimulator;

/**
 * Serves a simulator until it is stopped, by Ctrl-C or SIGTERM:
 *
 * <pre>{@code
 * ./mvnw -q test-compile exec:exec@simulator -Dsimulator=sprites -Dport=7799
 * }</pre>
 *
 * <p>The simulators are {@code sprites}, {@code modal}, {@code kubernetes} and {@code model}, whose
 * models say "Done." to everything, in Anthropic's protocol at the second line's URL and in
 * OpenAI's at the third. The first line on standard output is {@code ready}, the second the base
 * URL. The dialect of Sprites is the one the vendor's published client and people with curl get on
 * with; with {@code MESH_SIMULATOR_MODE=live} in the environment it is exactly what the live
 * service was seen to say. Modal takes the token id {@code ak-test} and the secret {@code as-test}.
 * Of Kubernetes the third line and those after it are what to put into a file and name in {@code
 * KUBECONFIG}.
 */
public final class Simulators {

  private Simulators() {}

  /**
   * @param arguments the simulator's name, then the port (0 for any)
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length != 2
        || !List.of("sprites", "modal", "kubernetes", "model").contains(arguments[0])) {
      System.err.println("Usage: sprites|modal|kubernetes|model PORT");
      System.exit(2);
    }
    var url = start(arguments[0], Integer.parseInt(arguments[1]));
    endWithMaven();
    System.out.println("ready");
    System.out.println(url);
    new CountDownLatch(1).await();
  }

  private static String start(String name, int port) throws IOException {
    if (name.equals("modal")) {
      var simulator = ModalSimulator.start(port);
      endWith(simulator::close);
      return simulator.url();
    }
    if (name.equals("model")) {
      var simulator = ModelSimulator.start(port);
      endWith(simulator::close);
      return simulator.anthropic() + "\n" + simulator.openAi();
    }
    if (name.equals("kubernetes")) {
      var simulator = KubernetesSimulator.startWithTls(port);
      endWith(simulator::close);
      return simulator.url() + "\n" + simulator.kubeconfig();
    }
    var simulator = SpritesSimulator.start(port);
    var live = "live".equals(System.getenv("MESH_SIMULATOR_MODE"));
    simulator.mode(live ? Mode.LIVE : Mode.SDK_FRIENDLY);
    endWith(simulator::close);
    return simulator.baseUrl();
  }

  private static void endWith(Runnable close) {
    Runtime.getRuntime().addShutdownHook(new Thread(close, "simulator-stop"));
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
