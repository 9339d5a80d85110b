package mesh.simulator.sprites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.simulator.http.WireServer;

/**
 * The Sprites API on this machine: the vendor's wire protocol, real processes, and a file system of
 * its own for each sprite.
 *
 * <pre>{@code
 * try (var vendor = SpritesSimulator.start(0)) {
 *   vendor.faults().next(CallKind.CREATE, new Fault.LostResponse());
 *   // … let an adapter talk to vendor.baseUrl() …
 *   assertThat(vendor.sprites()).hasSize(1);
 * }
 * }</pre>
 *
 * <p>Not simulated: terminals ({@code tty=true} is answered 400), {@code POST /exec}, {@code
 * /control} and {@code /proxy} (answered 404), a service's output and what it needs, sprites that
 * fall asleep, and the network policy's effect (it is validated and kept). Starting a sprite fails
 * where the user may not make namespaces.
 */
public final class SpritesSimulator implements AutoCloseable {

  private final Path base;
  private final Settings settings = new Settings();
  private final Inventory inventory;
  private final Faults faults = new Faults();
  private final Router router;
  private final WireServer server;

  private SpritesSimulator(int port) throws IOException {
    this.base = Files.createTempDirectory("mesh-sprites-");
    this.inventory = new Inventory(base, settings::witness);
    this.router = new Router(inventory, settings, faults);
    this.server = WireServer.start(port, router::handle);
  }

  /**
   * Serves 127.0.0.1 in {@link Mode#LIVE}.
   *
   * @param port 0 for any free one
   */
  public static SpritesSimulator start(int port) throws IOException {
    return new SpritesSimulator(port);
  }

  /** Without a slash at its end; what an adapter takes in place of the vendor's own. */
  public String baseUrl() {
    return "http://127.0.0.1:" + server.port();
  }

  /** A token it accepts: any that is not blank, until {@link #requireToken}. */
  public String token() {
    return "simulated/1/token";
  }

  /** Answers 401 to any other token from now on. */
  public void requireToken(String token) {
    settings.requireToken(token);
  }

  public void mode(Mode mode) {
    settings.mode(mode);
  }

  /** How long an exec socket stays open after the exit frame; 5 s unless set. */
  public void lingerAfterExit(Duration linger) {
    settings.lingerAfterExit(linger);
  }

  /**
   * How long a command runs on once nobody is connected, unless its request says so; 10 s unless
   * set, and zero for ever.
   */
  public void graceAfterDisconnect(Duration grace) {
    settings.graceAfterDisconnect(grace);
  }

  /** The vendor's clock, by which sprites are created and calls are recorded. */
  public void clock(InstantSource clock) {
    settings.clock(clock);
  }

  /** Tells somebody what happens to sprites from now on. */
  public void witness(Witness witness) {
    settings.witness(witness);
  }

  public Faults faults() {
    return faults;
  }

  /** The sprites there are, by name, with the time each was created. */
  public Map<String, Instant> sprites() {
    var sprites = new LinkedHashMap<String, Instant>();
    inventory.all().forEach(sprite -> sprites.put(sprite.name(), sprite.createdAt()));
    return sprites;
  }

  /** The rules of a sprite's network policy as they were set; none at first. */
  public List<Map<String, String>> policy(String name) {
    return inventory.all().stream()
        .filter(sprite -> sprite.name().equals(name))
        .findFirst()
        .orElseThrow()
        .policy();
  }

  /** How many commands run in all sprites. */
  public int runningCommands() {
    return inventory.all().stream().mapToInt(sprite -> sprite.sessions().all().size()).sum();
  }

  /** Where its sprites keep their files. */
  Path folder() {
    return base;
  }

  /** Every request so far, in order. */
  public List<RecordedCall> calls() {
    return List.copyOf(router.calls());
  }

  /** Those of one kind. */
  public List<RecordedCall> calls(CallKind kind) {
    return router.calls().stream().filter(call -> call.kind() == kind).toList();
  }

  public void forgetCalls() {
    router.calls().clear();
  }

  /** Ends every process and removes every file. */
  @Override
  public void close() {
    server.close();
    try {
      for (var sprite : inventory.all()) {
        sprite.destroy();
      }
      Files.deleteIfExists(base);
    } catch (IOException e) {
      System.err.println("Not every file of the simulator could be removed: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
