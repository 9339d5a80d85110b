package mesh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** Mesh in a process of its own, as it runs for its users, so that it can be killed. */
public final class ServerProcess implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(3);

  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  private final Process process;
  private final Path folder;
  private final Path log;
  private final int port;

  private ServerProcess(Process process, Path folder, Path log, int port) {
    this.process = process;
    this.folder = folder;
    this.log = log;
    this.port = port;
  }

  /**
   * What a server is given beyond what users give it.
   *
   * @param classPath after its own
   * @param options for its JVM
   * @param launcher what starts the JVM, and becomes it; empty for none
   */
  public record Extras(List<Path> classPath, List<String> options, List<String> launcher) {

    private static final Extras NONE = new Extras(List.of(), List.of());

    public Extras(List<Path> classPath, List<String> options) {
      this(classPath, options, List.of());
    }

    public Extras {
      launcher = List.copyOf(launcher);
      classPath = List.copyOf(classPath);
      options = List.copyOf(options);
    }
  }

  /** For whoever is about to start more than a few, and under load. */
  public static void expectMany() {
    ServerImage.expectMany();
  }

  /** Starts on {@code folder} as its data directory; returns before it is ready. */
  public static ServerProcess begin(Path folder, String... properties) {
    return begin(Extras.NONE, folder, properties);
  }

  /** As {@link #begin(Path, String...)}, with something more. */
  public static ServerProcess begin(Extras extras, Path folder, String... properties) {
    var image = ServerImage.next(extras.classPath());
    var options = Stream.concat(image.options().stream(), extras.options().stream()).toList();
    var start = new ServerImage.Start(options, image.classPath());
    return begin(extras.launcher(), start, folder, properties);
  }

  static ServerProcess begin(ServerImage.Start image, Path folder, String... properties) {
    return begin(List.of(), image, folder, properties);
  }

  private static ServerProcess begin(
      List<String> launcher, ServerImage.Start image, Path folder, String... properties) {
    try {
      int port = freePort();
      var log = Files.createTempFile("mesh-server-", ".log");
      var command = new ArrayList<>(launcher);
      command.addAll(
          List.of(
              System.getProperty("java.home") + "/bin/java",
              "-Xmx512m",
              "--enable-native-access=ALL-UNNAMED",
              "-XX:+UseCompactObjectHeaders"));
      command.addAll(image.options());
      command.addAll(
          List.of(
              "-cp",
              image.classPath(),
              "mesh.MeshApplication",
              "--server.port=" + port,
              "--mesh.data-dir=" + folder));
      command.addAll(Arrays.stream(properties).map(property -> "--" + property).toList());
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new ServerProcess(process, folder, log, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public long pid() {
    return process.pid();
  }

  /** Waits until it can really serve. */
  public ServerProcess ready() {
    var http = HttpClient.newHttpClient();
    var request =
        HttpRequest.newBuilder(URI.create(url() + "/actuator/health/readiness"))
            .timeout(Duration.ofSeconds(5))
            .build();
    Await.until(
        START,
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the server ended: " + output());
          }
          try {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
          } catch (IOException notYet) {
            return 0;
          }
        },
        status -> status == 200);
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + port;
  }

  public Path folder() {
    return folder;
  }

  /** What it printed so far. */
  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public TestMesh.Client with(String token) {
    return new TestMesh.Client(url(), token);
  }

  /** An operator with the token of the first start. */
  public TestMesh.Client admin() {
    try {
      return with(Files.readString(folder.resolve("bootstrap-token")).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What it used of the processors since it began. */
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** What a full collection leaves, in bytes. */
  public long liveHeapBytes() {
    jcmd("GC.run");
    var matcher = USED.matcher(jcmd("GC.heap_info"));
    if (!matcher.find()) {
      throw new IllegalStateException("jcmd told no heap usage");
    }
    return Long.parseLong(matcher.group(1)) * 1024;
  }

  private String jcmd(String command) {
    try {
      var jcmd =
          new ProcessBuilder(
                  System.getProperty("java.home") + "/bin/jcmd",
                  String.valueOf(process.pid()),
                  command)
              .redirectErrorStream(true)
              .start();
      return new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /** As {@code kill -STOP} does: it stands still, and its connections stay open. */
  public void freeze() {
    signal("STOP");
  }

  /** As {@code kill -CONT} does. */
  public void goOn() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      var kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("the server could not be sent " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whether {@link #freeze} has it stand still. */
  public boolean isFrozen() {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/status")).contains("State:\tT");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits until it ends by itself, and returns its exit code; empty if it does not. */
  public OptionalInt ended(Duration patience) {
    try {
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)
          ? OptionalInt.of(process.exitValue())
          : OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** As Ctrl-C does. */
  public void stop() {
    process.destroy();
    await();
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      stop();
    }
    Canaries.observe(output());
    FileSystemUtils.deleteRecursively(log.toFile());
  }

  private void await() {
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("the server did not stop in a minute: " + output());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
