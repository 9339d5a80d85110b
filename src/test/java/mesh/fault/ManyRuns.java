package mesh.fault;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import mesh.ServerProcess;
import mesh.ServerProcess.Extras;
import mesh.fault.Clients.Agent;
import mesh.fault.Clients.Reply;
import mesh.fault.Clients.Run;
import mesh.history.Checker;
import mesh.history.Event;
import mesh.history.Promises;
import mesh.history.Violation;

/**
 * Many runs at once on one server, nearly each with a command that runs, at a vendor on a bad day,
 * while operators take credentials away.
 *
 * <p>What a run does is slow on purpose: the vendor is simulated on the same machine, and what is
 * to be seen is what many runs cost Mesh, not how fast that machine starts processes.
 */
public final class ManyRuns {

  private static final int CANCELLED_AT_ONCE = 20;
  private static final Duration CANCELLING = Duration.ofSeconds(20);
  private static final String COUNTED =
      "management.metrics.distribution.percentiles-histogram.mesh.workspace.authority=true";

  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private static final Duration RAMP = Duration.ofMinutes(20);

  /** Commands that begin in a second, of all runs, as far as clients have the patience. */
  private static final int PER_SECOND = 4;

  /** In seconds. Half as much again is less than a client waits for an answer. */
  private static final int LONGEST_MEAN = 75;

  private static final int RUNS_OF_AN_AGENT = 5;
  private static final int AT_ONCE = 16;

  /** In seconds: the aim of a look. */
  private static final double SLOW = 0.05;

  private final int runs;
  private final Duration span;
  private final Duration decisions;
  private final long seed;
  private final boolean first;
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger usable = new AtomicInteger();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /**
   * @param runs at once
   * @param span how long all of them are at work
   * @param decisions from one decision about a credential to the next
   * @param first whether Mesh goes before the sandboxes on this machine, as if they were elsewhere
   */
  public ManyRuns(int runs, Duration span, Duration decisions, long seed, boolean first) {
    this.runs = runs;
    this.span = span;
    this.decisions = decisions;
    this.seed = seed;
    this.first = first;
  }

  /**
   * What was seen.
   *
   * @param ramp until each run had its workspace
   * @param operations in sandboxes at the same time: the mean over the span
   * @param looks how long one look at the authority of all operations took
   * @param heapBytes what was in use at most, as it was found each second, garbage included
   * @param liveHeapBytes what a collection left while all were at work
   * @param cpu of the server, per second of the span
   * @param settled from the end of the load until nothing was left to do
   * @param slowSeconds those whose looks took more than {@link #SLOW}, and what else there was
   */
  public record Figures(
      int runs,
      Duration ramp,
      double operations,
      Looks looks,
      long heapBytes,
      long liveHeapBytes,
      double cpu,
      Map<String, Long> answers,
      long sandboxes,
      long commands,
      Duration settled,
      List<Violation> violations,
      List<String> slowSeconds) {

    @Override
    public String toString() {
      return """
      %,d runs: all usable after %d s; %.0f operations at once; recheck p50 %.1f ms, p99 %.1f ms, slowest %.1f ms; \
      heap %d MiB used at most, %d MiB live; %.2f cores; %d sandboxes, %d commands; quiet after %d s; %d violations
        %s
        %s\
      """
          .formatted(
              runs,
              ramp.toSeconds(),
              operations,
              looks.p50() * 1e3,
              looks.p99() * 1e3,
              looks.slowest() * 1e3,
              heapBytes >> 20,
              liveHeapBytes >> 20,
              cpu,
              sandboxes,
              commands,
              settled.toSeconds(),
              violations.size(),
              answers,
              slowSeconds);
    }
  }

  /** In seconds, during the span. */
  public record Looks(double p50, double p99, double slowest) {}

  public Figures run() throws InterruptedException {
    try (var site = Site.open()) {
      site.vendor().graceAfterDisconnect(GRACE);
      var server = site.begin(new Extras(List.of(), List.of(), Priority.APART), COUNTED).ready();
      goesFirst(site, server);
      site.onlySprites(server);
      var clients = new Clients(site.recorder());
      var agents =
          IntStream.rangeClosed(0, runs / RUNS_OF_AN_AGENT)
              .mapToObj(number -> clients.newAgent(server, "agent-" + number, runs))
              .toList();
      VendorTrouble.begin(site.vendor().faults(), seed);

      var started = Instant.now();
      var threads = new ArrayList<Thread>();
      for (int number = 0; number < runs; number++) {
        var random = new Random(seed + number);
        var agent = agents.get(number / RUNS_OF_AN_AGENT);
        threads.add(
            Thread.ofVirtual()
                .start(() -> {
                  while (!over()) {
                    work(clients, server, agent, random);
                  }
                }));
        if (number % 100 == 0) {
          goesFirst(site, server);
        }
        awaitUsable(number - AT_ONCE, started);
      }
      awaitUsable(runs - AT_ONCE, started);
      var ramp = Duration.between(started, Instant.now());
      goesFirst(site, server);
      var measured = measure(server, clients, agents);
      end.countDown();
      var ended = Instant.now();
      site.vendor().faults().clear();
      cancelAll(site, clients, server);
      for (var thread : threads) {
        thread.join();
      }
      site.letTimePass(VendorTrouble.LATEST);
      site.quiet(QUIET);
      var settled = Duration.between(ended, Instant.now());
      return new Figures(
          runs,
          ramp,
          measured.operations(),
          measured.looks(),
          measured.heapBytes(),
          measured.liveHeapBytes(),
          measured.cpu(),
          counts(),
          site.recorder().count(Event.Created.class),
          site.recorder().count(Event.Began.class),
          settled,
          Checker.with(Promises.ofAVendorThatEndsCommandsAfter(GRACE).onAFaultyVendor())
              .violations(site.history()),
          measured.slowSeconds());
    }
  }

  private void goesFirst(Site site, ServerProcess server) {
    if (first) {
      Priority.first(server, site.jdbc());
    }
  }

  private void awaitUsable(int number, Instant since) throws InterruptedException {
    while (usable.get() < number) {
      if (Duration.between(since, Instant.now()).compareTo(RAMP) > 0) {
        throw new AssertionError(
            "only %d of %d runs got a workspace: %s".formatted(usable.get(), runs, counts()));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** One run from its beginning to its end. */
  private void work(Clients clients, ServerProcess server, Agent agent, Random random) {
    var run = clients.start(server, agent, null);
    if (run.isEmpty()) {
      pause(AGAIN);
      return;
    }
    if (use(clients, server, run.get(), "echo begun", true)) {
      usable.incrementAndGet();
      while (!over() && use(clients, server, run.get(), script(random), false)) {
        // It works.
      }
    }
    count("end", clients.finish(server, run.get()));
  }

  /** Longer, the more runs there are. */
  private String script(Random random) {
    int mean = Math.clamp(runs / PER_SECOND, 20, LONGEST_MEAN);
    return "echo a; sleep %d; echo b".formatted(mean / 2 + random.nextInt(mean));
  }

  /** Whether the run may go on. */
  private boolean use(
      Clients clients, ServerProcess server, Run run, String script, boolean first) {
    while (!over()) {
      var reply = clients.exec(server, run, script);
      count(first ? "first" : "exec", reply);
      if (reply.status() == 401 || reply.status() == 409) {
        return false;
      }
      if (reply.succeeded()) {
        return true;
      }
      pause(AGAIN);
    }
    return false;
  }

  private record Measured(
      double operations,
      Looks looks,
      long heapBytes,
      long liveHeapBytes,
      double cpu,
      List<String> slowSeconds) {}

  private Measured measure(ServerProcess server, Clients clients, List<Agent> agents)
      throws InterruptedException {
    var random = new Random(seed);
    var begun = System.nanoTime();
    var cpu = server.cpu();
    var nextDecision = begun + decisions.toNanos();
    double operations = 0;
    int samples = 0;
    long heap = 0;
    var slow = new ArrayList<String>();
    var first = Metrics.of(server);
    var before = first;
    while (System.nanoTime() - begun < span.toNanos()) {
      TimeUnit.SECONDS.sleep(1);
      var metrics = Metrics.of(server);
      operations += metrics.value("mesh_workspace_operations");
      samples++;
      var looks = metrics.total("mesh_workspace_authority", before);
      if (looks.mean() > SLOW) {
        slow.add(
            "%d s: looks %s, asking %s, collections %s"
                .formatted(
                    samples,
                    looks,
                    metrics.total("mesh_workspace_authorization_read", before),
                    metrics.total("jvm_gc_pause", before)));
      }
      before = metrics;
      heap = Math.max(heap, metrics.heapBytes());
      if (System.nanoTime() > nextDecision) {
        nextDecision += decisions.toNanos();
        decide(clients, server, agents.get(random.nextInt(agents.size())), random);
      }
    }
    var used = server.cpu().minus(cpu).toNanos() / (double) (System.nanoTime() - begun);
    var looks = Metrics.of(server).looksSince(first);
    return new Measured(operations / samples, looks, heap, server.liveHeapBytes(), used, slow);
  }

  private void decide(Clients clients, ServerProcess server, Agent agent, Random random) {
    if (random.nextBoolean()) {
      count("token set", clients.setCredential(server, agent));
    } else {
      count("forbidden", clients.permit(server, agent, false));
      count("permitted", clients.permit(server, agent, true));
    }
  }

  /**
   * A few at a time: ending a command takes a second one in its sandbox, and a thousand of those at
   * once would measure how long this machine needs for the vendor's work.
   */
  private static void cancelAll(Site site, Clients clients, ServerProcess server)
      throws InterruptedException {
    var left =
        new ArrayDeque<>(
            site.jdbc().sql("select id from runs where ended_at is null").query(UUID.class).list());
    while (!left.isEmpty()) {
      for (int number = 0; number < CANCELLED_AT_ONCE && !left.isEmpty(); number++) {
        clients.cancel(server, left.remove());
      }
      long patience = System.nanoTime() + CANCELLING.toNanos();
      while (sandboxes(site) > left.size() && System.nanoTime() < patience) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  private static int sandboxes(Site site) {
    return site.jdbc()
        .sql("select count(*) from workspaces where state not in ('pending', 'released')")
        .query(Integer.class)
        .single();
  }

  private boolean over() {
    return end.getCount() == 0;
  }

  private void pause(Duration time) {
    try {
      var _ = end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void count(String what, Reply reply) {
    var outcome =
        reply.isLost() ? "lost" : reply.succeeded() ? "done" : reply.status() + " " + reply.code();
    counts.computeIfAbsent(what + " " + outcome, _ -> new LongAdder()).increment();
  }

  private Map<String, Long> counts() {
    var sums = new TreeMap<String, Long>();
    counts.forEach((what, count) -> sums.put(what, count.sum()));
    return sums;
  }

  /** How often something happened, and how many seconds it took in all. */
  private record Total(double count, double seconds) {

    double mean() {
      return count == 0 ? 0 : seconds / count;
    }

    @Override
    public String toString() {
      return "%.0f in %.0f ms".formatted(count, seconds * 1e3);
    }
  }

  /** What a server tells of itself. */
  private record Metrics(String text) {

    private static final Pattern HEAP =
        Pattern.compile("(?m)^jvm_memory_used_bytes\\{area=\"heap\".*} (\\S+)$");

    private static final Pattern LOOKS =
        Pattern.compile(
            "(?m)^mesh_workspace_authority_seconds_bucket\\{.*le=\"([^\"]+)\".*} (\\S+)$");

    static Metrics of(ServerProcess server) {
      return new Metrics(server.admin().get("/actuator/prometheus").text());
    }

    double value(String name) {
      return text.lines()
          .filter(line -> line.startsWith(name))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }

    /**
     * Of the looks since then, the upper ends of the buckets that Micrometer counts them in. Its
     * own quantiles are of the last two minutes, so of a server that had just started.
     */
    Looks looksSince(Metrics before) {
      var earlier = before.looks();
      var counts = new TreeMap<Double, Double>();
      looks().forEach((end, count) -> counts.put(end, count - earlier.getOrDefault(end, 0d)));
      return new Looks(quantile(counts, 0.5), quantile(counts, 0.99), quantile(counts, 1));
    }

    private static double quantile(NavigableMap<Double, Double> counts, double share) {
      double wanted = share * counts.lastEntry().getValue();
      return counts.entrySet().stream()
          .filter(it -> it.getValue() >= wanted)
          .findFirst()
          .orElseThrow()
          .getKey();
    }

    /** How many took no longer than so many seconds. */
    private Map<Double, Double> looks() {
      var counts = new HashMap<Double, Double>();
      LOOKS
          .matcher(text)
          .results()
          .forEach(it ->
              counts.put(
                  it.group(1).equals("+Inf")
                      ? Double.POSITIVE_INFINITY
                      : Double.parseDouble(it.group(1)),
                  Double.parseDouble(it.group(2))));
      return counts;
    }

    /** Of a timer, since then. */
    Total total(String timer, Metrics before) {
      return new Total(
          value(timer + "_seconds_count") - before.value(timer + "_seconds_count"),
          value(timer + "_seconds_sum") - before.value(timer + "_seconds_sum"));
    }

    long heapBytes() {
      return HEAP.matcher(text)
          .results()
          .mapToLong(it -> (long) Double.parseDouble(it.group(1)))
          .sum();
    }
  }
}
