package mesh.workspace;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import mesh.database.TestDatabase;
import mesh.database.VirtualTime;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What all simulations share: the classes, the database, the vendor and the clock. */
final class SimulatedWorld implements AutoCloseable {

  final JdbcClient jdbc;
  final StillMesh mesh;
  final FakeVendor vendor;
  private final VirtualTime time;
  private final Tally tally = new Tally();
  private Instant now;

  private SimulatedWorld(TestDatabase database, VirtualTime time) {
    this.time = time;
    this.now = time.now();
    this.jdbc = database.jdbc();
    this.vendor = new FakeVendor("fake", () -> now);
    this.mesh = StillMesh.on(database, vendor);
    jdbc.sql(
            "insert into execution_backends (name, enabled) values ('fake', true), ('local', false) on conflict (name) do update set enabled = excluded.enabled")
        .update();
  }

  static SimulatedWorld on(TestDatabase database) {
    return new SimulatedWorld(database, VirtualTime.in(database));
  }

  Simulation begin(long seed) {
    return new Simulation(this, new Random(seed));
  }

  Instant now() {
    return now;
  }

  void pass(Duration by) {
    now = now.plus(by);
    time.advance(by);
  }

  Tally tally() {
    return tally;
  }

  @Override
  public void close() {
    mesh.close();
  }

  /** What happened how often, so that a simulation in which nothing happens is seen. */
  static final class Tally {

    private final Map<String, Integer> counts = new HashMap<>();

    void add(String what) {
      counts.merge(what, 1, Integer::sum);
    }

    int crashes() {
      return counts.entrySet().stream()
          .filter(entry -> entry.getKey().startsWith("died at "))
          .mapToInt(Map.Entry::getValue)
          .sum();
    }

    @Override
    public String toString() {
      return new TreeMap<>(counts).toString();
    }
  }
}
