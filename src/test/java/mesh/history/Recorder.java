package mesh.history;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import mesh.history.Event.Called;
import mesh.history.Event.What;
import mesh.simulator.sprites.SpritesSimulator;
import mesh.simulator.sprites.Witness;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Writes down what happens while a suite runs. Thread-safe. */
public final class Recorder implements Witness {

  /** What tests use as tokens; see {@link mesh.Canaries}. */
  private static final Pattern TOKEN = Pattern.compile("ghp_[A-Za-z0-9]{20,}");

  private final JdbcClient jdbc;
  private final Journal journal;
  private final Queue<Event> events = new ConcurrentLinkedQueue<>();
  private final Map<String, String> credentials = new ConcurrentHashMap<>();
  private final Map<String, String> commands = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  private Recorder(JdbcClient jdbc) {
    this.jdbc = jdbc;
    this.journal = Journal.begin(jdbc);
  }

  /**
   * Of everything from now on.
   *
   * @param jdbc of the database that Mesh is about to use, migrated
   */
  public static Recorder of(SpritesSimulator vendor, JdbcClient jdbc) {
    var recorder = new Recorder(jdbc);
    vendor.witness(recorder);
    return recorder;
  }

  /** The history up to now, when everything is quiet. */
  public History history(SpritesSimulator vendor) {
    var all = new ArrayList<>(events);
    all.addAll(journal.events());
    // In this order: what is charged for a sandbox that lives on must not be read before its end.
    var end = Instant.now();
    var living = vendor.sprites().keySet();
    return new History(all, new LedgerReading(jdbc).read(), living, end);
  }

  /** A client's call with its answer. */
  public void called(
      Instant at, What what, UUID subject, String provider, int status, long revision) {
    events.add(new Called(at, what, subject, provider, Instant.now(), status, revision));
  }

  /** A client's call whose answer was lost. */
  public void lost(Instant at, What what, UUID subject, String provider) {
    events.add(new Called(at, what, subject, provider, null, 0, 0));
  }

  public void killed(String server) {
    events.add(new Event.Killed(Instant.now(), server));
  }

  /** To be said before it is made. */
  public void planted(String sandbox) {
    events.add(new Event.Planted(Instant.now(), sandbox));
  }

  /** To be said before Mesh is given it. */
  public void knows(UUID agent, String provider, String token) {
    var label = provider + "-" + numbers.incrementAndGet();
    credentials.put(token, label);
    events.add(new Event.Known(Instant.now(), agent, provider, label));
  }

  /** How many events of a kind were seen so far. */
  public long count(Class<? extends Event> kind) {
    return events.stream().filter(kind::isInstance).count();
  }

  @Override
  public void created(String sprite) {
    events.add(new Event.Created(Instant.now(), sprite, journal.knows(sprite)));
  }

  @Override
  public void woke(String sprite) {
    events.add(new Event.Woke(Instant.now(), sprite));
  }

  @Override
  public void slept(String sprite) {
    events.add(new Event.Slept(Instant.now(), sprite));
  }

  @Override
  public void destroyed(String sprite) {
    events.add(new Event.Destroyed(Instant.now(), sprite));
  }

  /** A sandbox that wakes numbers its commands from the beginning. */
  @Override
  public void began(String sprite, String session) {
    var command = session + "#" + numbers.incrementAndGet();
    commands.put(sprite + "/" + session, command);
    events.add(new Event.Began(Instant.now(), sprite, command));
  }

  @Override
  public void ended(String sprite, String session) {
    events.add(new Event.Ended(Instant.now(), sprite, command(sprite, session)));
  }

  @Override
  public void heard(String sprite, String session, byte[] input) {
    var text = new String(input, ISO_8859_1);
    if (text.contains("ghp_")) {
      TOKEN
          .matcher(text)
          .results()
          .map(found -> credentials.getOrDefault(found.group(), "unknown"))
          .distinct()
          .forEach(label ->
              events.add(new Event.Wrote(Instant.now(), sprite, command(sprite, session), label)));
    }
  }

  private String command(String sprite, String session) {
    return commands.getOrDefault(sprite + "/" + session, session);
  }
}
