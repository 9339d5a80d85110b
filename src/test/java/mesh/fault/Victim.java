package mesh.fault;

import java.time.Duration;
import java.util.OptionalInt;
import java.util.stream.Stream;
import mesh.ServerProcess;

/** A server that is to end at a point. */
final class Victim {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ServerProcess server;
  private final Halting halting;

  private Victim(ServerProcess server, Halting halting) {
    this.server = server;
    this.halting = halting;
  }

  /** Returns before it is ready. */
  static Victim begin(Site site, String... properties) {
    var halting = new Halting(site.newFolder());
    var options = Stream.concat(Site.FAST.stream(), Stream.of(halting.option())).toList();
    return new Victim(
        site.begin(new ServerProcess.Extras(halting.classPath(), options), properties), halting);
  }

  Victim ready() {
    server.ready();
    return this;
  }

  ServerProcess server() {
    return server;
  }

  Halting halting() {
    return halting;
  }

  /** The exit code of its end; empty if it lives on. */
  OptionalInt ended() {
    return server.ended(PATIENCE);
  }
}
