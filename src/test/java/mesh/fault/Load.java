package mesh.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import mesh.ServerProcess;
import mesh.fault.Clients.Agent;
import mesh.fault.Clients.Reply;
import mesh.fault.Clients.Run;
import org.jspecify.annotations.Nullable;

/**
 * Agents at work and operators who interfere, on whichever servers there are. What fails is tried
 * again elsewhere, as real clients do; what that leads to is for the checker.
 */
final class Load {

  private static final int TRIES = 4;
  private static final Duration AGAIN = Duration.ofMillis(300);

  /** So that servers which start have something of the machine as well. */
  private static final Duration THOUGHT = Duration.ofMillis(1500);

  private final Clients clients;
  private final List<Supplier<ServerProcess>> servers;
  private final List<Agent> agents;
  private final long seed;
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  Load(Clients clients, List<Supplier<ServerProcess>> servers, List<Agent> agents, long seed) {
    this.clients = clients;
    this.servers = servers;
    this.agents = agents;
    this.seed = seed;
  }

  /**
   * @param workers how many runs there are at once
   * @param decisions from one decision about a credential to the next
   */
  void begin(int workers, Duration decisions) {
    for (int i = 0; i < workers; i++) {
      var random = new Random(seed + i);
      threads.add(Thread.ofVirtual().start(() -> untilTheEnd(() -> work(random))));
    }
    var random = new Random(seed - 1);
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              while (!pause(decisions)) {
                decide(random);
              }
            }));
  }

  /** Returns when everybody has come to an end with what he was at. */
  void end() throws InterruptedException {
    end.countDown();
    for (var thread : threads) {
      thread.join();
    }
  }

  /** What was answered how often. */
  Map<String, Long> counts() {
    var sums = new TreeMap<String, Long>();
    counts.forEach((what, count) -> sums.put(what, count.sum()));
    return sums;
  }

  private void untilTheEnd(Runnable work) {
    while (end.getCount() > 0) {
      work.run();
    }
  }

  /** One run, or two of a conversation, from its beginning to its end. */
  private void work(Random random) {
    var agent = agents.get(random.nextInt(agents.size()));
    var conversation = random.nextInt(10) < 5 ? UUID.randomUUID() : null;
    int runs = conversation == null ? 1 : 2;
    for (int i = 0; i < runs && end.getCount() > 0; i++) {
      start(random, agent, conversation).ifPresent(run -> use(random, run));
    }
  }

  private Optional<Run> start(Random random, Agent agent, @Nullable UUID conversation) {
    for (int i = 0; i < TRIES; i++) {
      var run = clients.start(any(random), agent, conversation);
      if (run.isPresent()) {
        return run;
      }
      pause(AGAIN);
    }
    return Optional.empty();
  }

  private void use(Random random, Run run) {
    int commands = 1 + random.nextInt(4);
    for (int i = 0; i < commands; i++) {
      var script = random.nextInt(4) == 0 ? "echo a; sleep 1; echo b" : "echo " + i;
      var reply = persistently(random, "exec", server -> clients.exec(server, run, script));
      if (reply.status() == 409 || reply.status() == 401 || pause(THOUGHT)) {
        break;
      }
    }
    // Some agents just vanish: their runs are ended by whoever looks after that.
    if (random.nextInt(10) > 0) {
      var _ =
          persistently(
              random,
              "end",
              server ->
                  random.nextInt(3) == 0
                      ? clients.cancel(server, run.id())
                      : clients.finish(server, run));
    }
  }

  private void decide(Random random) {
    var agent = agents.get(random.nextInt(agents.size()));
    if (random.nextBoolean()) {
      var _ = persistently(random, "token set", server -> clients.setCredential(server, agent));
    } else {
      var _ = persistently(random, "forbidden", server -> clients.permit(server, agent, false));
      var _ = persistently(random, "permitted", server -> clients.permit(server, agent, true));
    }
  }

  /** Until it is answered in a way that trying again does not change. */
  private Reply persistently(Random random, String what, Function<ServerProcess, Reply> call) {
    for (int i = 1; ; i++) {
      var reply = call.apply(any(random));
      count(what, reply);
      boolean clear = !reply.isLost() && reply.status() < 500;
      if (clear || i == TRIES) {
        return reply;
      }
      pause(AGAIN);
    }
  }

  private void count(String what, Reply reply) {
    var outcome =
        reply.isLost() ? "lost" : reply.succeeded() ? "done" : reply.status() + " " + reply.code();
    counts.computeIfAbsent(what + " " + outcome, _ -> new LongAdder()).increment();
  }

  private ServerProcess any(Random random) {
    return servers.get(random.nextInt(servers.size())).get();
  }

  /** Whether the end has come. */
  private boolean pause(Duration time) {
    try {
      return end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
