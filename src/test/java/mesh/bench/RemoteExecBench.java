package mesh.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import mesh.execution.Backend;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.Size;
import mesh.execution.kubernetes.KubernetesBackends;
import mesh.execution.modal.ModalBackends;
import mesh.execution.sprites.SpritesBackends;
import mesh.simulator.kubernetes.KubernetesSimulator;
import mesh.simulator.modal.ModalSimulator;
import mesh.simulator.sprites.SpritesSimulator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Times each remote adapter against its simulator and beside it, in the same run and at the same
 * simulator, what the vendor publishes as its own client: {@code echo hi}, 20 MiB of output, 20 MiB
 * written to files.
 *
 * <pre>{@code
 * ./mvnw -q test-compile exec:exec@bench -Dbench=mesh.bench.RemoteExecBench
 * }</pre>
 *
 * <p>The clients must be in {@code MESH_NPM_CACHE_DIR}, where the suites of the official clients
 * put them; one that is not there is left out.
 */
final class RemoteExecBench {

  private static final int WARM_UP = 50;
  private static final int RUNS = 200;
  private static final int MEBIBYTE = 1024 * 1024;

  /** Files are at most this large in one operation. */
  private static final byte[] CONTENT = new byte[10 * MEBIBYTE];

  private static final Path CLIENTS = Path.of("bench", "clients").toAbsolutePath();

  private final Sandbox sandbox;

  private RemoteExecBench(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  public static void main(String[] arguments) throws Exception {
    System.out.printf(
        "%-22s %12s %18s %18s%n", "", "echo hi p50", "20 MiB of output", "20 MiB written");
    sprites();
    modal();
    kubernetes();
  }

  private static void sprites() throws Exception {
    try (var simulator = SpritesSimulator.start(0);
        var backend = SpritesBackends.open(simulator.baseUrl(), simulator.token())) {
      adapter("Sprites, Mesh", backend);
      node(
          "Sprites, own client",
          "sprites",
          Map.of("BASE", simulator.baseUrl(), "TOKEN", simulator.token()));
    }
  }

  private static void modal() throws Exception {
    try (var simulator = ModalSimulator.start(0);
        var backend =
            ModalBackends.open(simulator.url(), simulator.tokenId(), simulator.tokenSecret())) {
      adapter("Modal, Mesh", backend);
      node(
          "Modal, own client",
          "modal",
          Map.of(
              "MODAL_SERVER_URL",
              simulator.url(),
              "MODAL_TOKEN_ID",
              simulator.tokenId(),
              "MODAL_TOKEN_SECRET",
              simulator.tokenSecret(),
              "MODAL_CONFIG_PATH",
              "/nonexistent"));
    }
  }

  private static void kubernetes() throws Exception {
    try (var simulator = KubernetesSimulator.startWithTls(0);
        var backend = KubernetesBackends.open(simulator.kubeconfig(), "default")) {
      adapter("Kubernetes, Mesh", backend);
      var kubectl = cache().resolve("kubernetes").resolve("kubectl");
      if (Files.isExecutable(kubectl)) {
        var kubeconfig = Files.createTempFile("mesh-bench", ".yaml");
        Files.writeString(kubeconfig, simulator.kubeconfig());
        client(
            "Kubernetes, kubectl",
            CLIENTS,
            List.of(CLIENTS.resolve("kubernetes.sh").toString()),
            Map.of("KUBECTL", kubectl.toString(), "KUBECONFIG", kubeconfig.toString()));
        Files.delete(kubeconfig);
      }
    }
  }

  private static void adapter(String title, Backend backend) throws Exception {
    var id = UUID.nameUUIDFromBytes(new byte[] {1});
    var spec =
        SandboxSpec.of(new InstallationId("bench00000"), id, 1, Size.STANDARD, Duration.ofHours(1));
    var bench = new RemoteExecBench(backend.acquire(spec));
    row(
        title,
        bench.echo(),
        once(() -> bench.exec("head", "-c", "" + 20 * MEBIBYTE, "/dev/zero")),
        once(() -> bench.write() + bench.write()));
  }

  private static void node(String title, String name, Map<String, String> environment)
      throws Exception {
    var folder = cache().resolve(name);
    if (!Files.isDirectory(folder.resolve("node_modules"))) {
      return;
    }
    for (var script : List.of("timed.mjs", name + ".mjs")) {
      Files.copy(
          CLIENTS.resolve(script),
          folder.resolve("bench-" + script),
          StandardCopyOption.REPLACE_EXISTING);
    }
    var script = folder.resolve("bench-" + name + ".mjs");
    Files.writeString(script, Files.readString(script).replace("./timed.mjs", "./bench-timed.mjs"));
    var own = folder.resolve("node_modules/.bin/node");
    var node = Files.isExecutable(own) ? own.toString() : "node";
    client(title, folder, List.of(node, script.toString()), environment);
  }

  private static void client(
      String title, Path folder, List<String> argv, Map<String, String> environment)
      throws Exception {
    var builder = new ProcessBuilder(argv).directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    var process = builder.start();
    var said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(title + " failed: " + said);
    }
    JsonNode figures = new JsonMapper().readTree(said);
    row(
        title,
        figures.path("echo").doubleValue(),
        figures.path("out").doubleValue(),
        figures.path("write").doubleValue());
  }

  private static Path cache() {
    return Path.of(System.getenv().getOrDefault("MESH_NPM_CACHE_DIR", "/nonexistent"));
  }

  private long exec(String... argv) throws InterruptedException {
    var counted = new AtomicLong();
    var command = Command.of(List.of(argv), sandbox.project(), Duration.ofMinutes(1));
    var outcome = sandbox.exec(command, (_, bytes) -> counted.addAndGet(bytes.remaining()));
    if (!outcome.equals(new Outcome.Exited(0, 0))) {
      throw new IllegalStateException(String.join(" ", argv) + " ended as " + outcome);
    }
    return counted.get();
  }

  private long write() throws InterruptedException {
    sandbox.write(sandbox.project().resolve("f"), CONTENT, FileMode.KEEP);
    return CONTENT.length;
  }

  private double echo() throws Exception {
    for (int run = 0; run < WARM_UP; run++) {
      exec("echo", "hi");
    }
    var times = new ArrayList<Double>();
    for (int run = 0; run < RUNS; run++) {
      times.add(once(() -> exec("echo", "hi")));
    }
    var sorted = times.stream().mapToDouble(it -> it).toArray();
    Arrays.sort(sorted);
    return sorted[RUNS / 2];
  }

  /** In milliseconds. */
  private static double once(Callable<Long> what) throws Exception {
    long start = System.nanoTime();
    var _ = what.call();
    return (System.nanoTime() - start) / 1e6;
  }

  private static void row(String title, double echo, double out, double write) {
    System.out.printf("%-22s %9.1f ms %15.0f ms %15.0f ms%n", title, echo, out, write);
  }
}
