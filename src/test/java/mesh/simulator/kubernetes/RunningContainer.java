package mesh.simulator.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import mesh.simulator.namespace.Command;
import mesh.simulator.namespace.Container;

/** A container of a pod: its processes, of which the first takes all others with it. */
final class RunningContainer {

  private static final int TERMINATION_BIT = 14;

  /**
   * How it ended.
   *
   * @param reason as its status has it
   */
  record Exit(int code, String reason, Instant at) {}

  private final String name;
  private final Container container;
  private final Path folder;
  private final String directory;
  private final Map<String, String> environment;
  private final Optional<Command> main;
  private final String id = UUID.randomUUID().toString().replace("-", "");
  private final Instant startedAt;
  private volatile Optional<Exit> exit = Optional.empty();
  private volatile boolean outOfMemory;

  private RunningContainer(
      ContainerPlan plan, Container container, Optional<Command> main, Instant startedAt) {
    this.name = plan.name();
    this.container = container;
    this.folder = plan.folder();
    this.directory = plan.directory();
    this.environment = plan.environment();
    this.main = main;
    this.startedAt = startedAt;
  }

  /**
   * Starts the main process.
   *
   * @param network whether it reaches anything
   */
  static RunningContainer start(
      ContainerPlan plan, Path hidden, boolean network, InstantSource clock) throws IOException {
    Files.createDirectories(plan.folder());
    var container =
        Container.open(plan.folder(), hidden, plan.login(), plan.volumes(), plan.readOnly());
    try {
      var obstacle = Launch.obstacle(container, plan.directory(), plan.environment(), plan.argv());
      if (obstacle.isPresent()) {
        container.close();
        Files.writeString(plan.folder().resolve("log"), "");
        var failed = new RunningContainer(plan, container, Optional.empty(), clock.instant());
        failed.exit = Optional.of(new Exit(128, "StartError", clock.instant()));
        return failed;
      }
      var prepared = container.command(plan.directory(), plan.environment(), plan.argv(), network);
      var main = Command.start(prepared, plan.folder().resolve("log"));
      return new RunningContainer(plan, container, Optional.of(main), clock.instant());
    } catch (IOException | RuntimeException e) {
      container.close();
      throw e;
    }
  }

  /** Tells once when it has ended, on a thread of its own. */
  void whenEnded(InstantSource clock, Consumer<RunningContainer> heir) {
    if (main.isEmpty()) {
      heir.accept(this);
      return;
    }
    Thread.startVirtualThread(() -> {
      try {
        var code = main.get().exitCode();
        container.close();
        var reason = outOfMemory ? "OOMKilled" : code == 0 ? "Completed" : "Error";
        exit = Optional.of(new Exit(code, reason, clock.instant()));
        heir.accept(this);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  String name() {
    return name;
  }

  String id() {
    return id;
  }

  Container inside() {
    return container;
  }

  Path folder() {
    return folder;
  }

  String directory() {
    return directory;
  }

  Map<String, String> environment() {
    return environment;
  }

  Instant startedAt() {
    return startedAt;
  }

  Optional<Exit> exit() {
    return exit;
  }

  boolean isRunning() {
    return exit.isEmpty();
  }

  boolean isMain(int pid) {
    return main.filter(it -> it.pid() == pid).isPresent();
  }

  /** What the main process has said so far. */
  byte[] log() throws IOException {
    return Files.readAllBytes(folder.resolve("log"));
  }

  /**
   * Asks the main process to end. As the first process of a container it is only asked if it
   * listens: the kernel drops a signal that would end it otherwise.
   */
  void askToEnd() {
    if (main.isPresent() && listensToTermination(main.get().pid())) {
      main.get().signal("TERM");
    }
  }

  private boolean listensToTermination(int pid) {
    try {
      return Files.readAllLines(container.root().resolve("proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("SigCgt:"))
          .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(mask -> (mask & (1L << TERMINATION_BIT)) != 0);
    } catch (IOException e) {
      // It has ended.
      return false;
    }
  }

  /** Ends everything in it; {@link #whenEnded} is told. */
  void end() {
    container.close();
  }

  void runOutOfMemory() {
    outOfMemory = true;
    end();
  }
}
