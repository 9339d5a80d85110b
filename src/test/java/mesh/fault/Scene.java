package mesh.fault;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import mesh.Await;
import mesh.ServerProcess;
import mesh.fault.Clients.Reply;
import mesh.fault.Clients.Run;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.SpritesSimulator;

/**
 * Where one crash takes place.
 *
 * @param agent nobody else's
 * @param whenUsable to be told when the run can go on
 */
record Scene(
    Site site,
    Clients clients,
    Victim victim,
    ServerProcess survivor,
    Clients.Agent agent,
    Runnable whenUsable) {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  SpritesSimulator vendor() {
    return site.vendor();
  }

  ServerProcess dying() {
    return victim.server();
  }

  /** A run whose workspace nobody has reached for. */
  Run run() {
    return clients.start(dying(), agent, null).orElseThrow();
  }

  /** A run that has executed a command. */
  Run ready() {
    var run = run();
    must(clients.exec(dying(), run, "echo ready"));
    return run;
  }

  /** Calls that are to be answered by nobody. */
  void inVain(Supplier<Reply> call) {
    var _ = CompletableFuture.supplyAsync(call, Thread.ofVirtual()::start);
  }

  /** Waits until the vendor was asked one thing more than before. */
  void awaitCall(CallKind kind, int before) {
    Await.until(PATIENCE, () -> vendor().calls(kind).size(), now -> now > before);
  }

  int calls(CallKind kind) {
    return vendor().calls(kind).size();
  }

  String key(Run run) {
    return String.valueOf(site.row(run.id()).get("key"));
  }

  boolean vendorHas(Run run) {
    return vendor().sprites().containsKey(key(run));
  }

  /** The run goes on. */
  void usable() {
    whenUsable.run();
  }

  static Reply must(Reply reply) {
    if (!reply.succeeded()) {
      throw new AssertionError("answered " + reply);
    }
    return reply;
  }
}
