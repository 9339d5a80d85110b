package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.BackendProvider;
import mesh.execution.Command;
import mesh.execution.ExternalRef;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Hibernator;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.Outcome;
import mesh.execution.OutputSink;
import mesh.execution.Release;
import mesh.execution.Sandbox;
import mesh.execution.SandboxKey;
import mesh.execution.SandboxPath;
import mesh.execution.SandboxSpec;
import mesh.execution.Shell;
import mesh.execution.Sized;
import mesh.execution.UsageReporter;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.Isolation;
import org.jspecify.annotations.Nullable;

/**
 * A vendor in memory whose clock, failures and effects a test decides. Its commands are files'
 * worth of state and no processes: what is tried with it is when sandboxes come and go.
 */
final class FakeVendor
    implements BackendProvider, Backend, Hibernator, Shell, Sized, UsageReporter {

  /** What becomes of a call. */
  enum Mischief {
    NONE,
    /** Refused before anything happened. */
    BEFORE,
    /** It happened, and the answer was lost. */
    AFTER,
    /** The answer says no, and yet it happens later. */
    LATE
  }

  /** The calls that change something there, and the others. */
  enum Call {
    ACQUIRE,
    ATTACH,
    RELEASE,
    WAKE,
    DESTROY,
    LIST,
    EXEC,
    FILE
  }

  /**
   * @param what {@code created}, {@code asleep}, {@code awake} or {@code destroyed}
   */
  record Event(Instant at, String what, String key) {}

  private final String name;
  private final InstantSource clock;
  private final Map<String, Machine> machines = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<SandboxSpec> asked = new ArrayList<>();
  private Function<Call, Mischief> mischief = _ -> Mischief.NONE;
  private Function<Command, Outcome> commands = _ -> new Outcome.Exited(0, 0);
  private Set<Call> hanging = Set.of();
  private CountDownLatch gate = new CountDownLatch(0);
  private Set<String> hidden = Set.of();
  private final Map<String, Instant> ghosts = new TreeMap<>();
  private final Set<String> madeLate = new HashSet<>();
  private boolean isLate;
  private int others;
  private int unmarked;

  FakeVendor(String name, InstantSource clock) {
    this.name = name;
    this.clock = clock;
  }

  // what tests decide and see

  synchronized void mischief(Function<Call, Mischief> next) {
    mischief = next;
  }

  synchronized void commands(Function<Command, Outcome> next) {
    commands = next;
  }

  /** Calls of these kinds wait until {@link #goOn}, or are interrupted. */
  synchronized void hang(Call... kinds) {
    gate = new CountDownLatch(1);
    hanging = Set.of(kinds);
  }

  synchronized void goOn() {
    hanging = Set.of();
    gate.countDown();
  }

  /** Its list lags: these are there and not in it. */
  synchronized void hide(Set<String> keys) {
    hidden = Set.copyOf(keys);
  }

  /** Its list lags: this is in it and not there. */
  synchronized void haunt(String key, Instant createdAt) {
    ghosts.put(key, createdAt);
  }

  synchronized void strangers(int ofOthers, int ofNobody) {
    others = ofOthers;
    unmarked = ofNobody;
  }

  /** A sandbox that is there without Mesh having asked for it just now. */
  synchronized void plant(String key, Instant createdAt) {
    machines.put(key, new Machine(createdAt));
  }

  /** What was to happen late happens. */
  synchronized void deliverLate() {
    var due = List.copyOf(late);
    late.clear();
    isLate = true;
    due.forEach(Runnable::run);
    isLate = false;
  }

  synchronized boolean hasLate() {
    return !late.isEmpty();
  }

  /** Keys, with whether each is awake. */
  synchronized Map<String, Boolean> sandboxes() {
    var all = new TreeMap<String, Boolean>();
    machines.forEach((key, machine) -> all.put(key, machine.awakeSince != null));
    return all;
  }

  synchronized List<Event> events() {
    return List.copyOf(events);
  }

  /** What sandboxes were asked for, in order. */
  synchronized List<SandboxSpec> asked() {
    return List.copyOf(asked);
  }

  synchronized long count(Call call) {
    return calls.stream().filter(call::equals).count();
  }

  /** How long a sandbox has been awake in all, also one that is gone. */
  synchronized Duration awake(String key) {
    Duration sum = Duration.ZERO;
    Instant since = null;
    for (var event : events) {
      if (event.key().equals(key)) {
        switch (event.what()) {
          case "created", "awake" -> since = since == null ? event.at() : since;
          default -> {
            if (since != null) {
              sum = sum.plus(Duration.between(since, event.at()));
            }
            since = null;
          }
        }
      }
    }
    return since == null ? sum : sum.plus(Duration.between(since, clock.instant()));
  }

  // what Mesh sees

  @Override
  public BackendDescriptor descriptor() {
    return new BackendDescriptor(
        new BackendName(name), 1, "Fake", "In memory.", Isolation.MICROVM, "", List.of());
  }

  @Override
  public Class<? extends Backend> typeFor(BackendConfig config) {
    return FakeVendor.class;
  }

  @Override
  public Backend open(BackendConfig config) {
    return this;
  }

  @Override
  public Sandbox acquire(SandboxSpec spec) throws InterruptedException {
    var key = spec.key().value();
    return call(
        Call.ACQUIRE,
        () -> {
          asked.add(spec);
          var machine = machines.computeIfAbsent(key, _ -> new Machine(clock.instant()));
          if (machine.awakeSince == null) {
            machine.awakeSince = clock.instant();
            say(machine.isNew ? "created" : "awake", key);
            machine.isNew = false;
          }
          return new Handle(key);
        });
  }

  @Override
  public Sandbox attach(ExternalRef ref) throws InterruptedException {
    return call(
        Call.ATTACH,
        () -> {
          var _ = machine(ref.reveal());
          return new Handle(ref.reveal());
        });
  }

  @Override
  public Release release(ExternalRef ref) throws InterruptedException {
    return call(
        Call.RELEASE,
        () -> {
          var machine = machines.get(ref.reveal());
          if (machine == null) {
            return Release.DESTROYED;
          }
          if (machine.awakeSince != null) {
            say("asleep", ref.reveal());
            machine.awakeSince = null;
          }
          return Release.HIBERNATED;
        });
  }

  @Override
  public Sandbox wake(ExternalRef ref) throws InterruptedException {
    return call(
        Call.WAKE,
        () -> {
          var machine = machine(ref.reveal());
          if (machine.awakeSince == null) {
            machine.awakeSince = clock.instant();
            say("awake", ref.reveal());
          }
          return new Handle(ref.reveal());
        });
  }

  @Override
  public void destroy(ExternalRef ref) throws InterruptedException {
    boolean _ =
        call(
            Call.DESTROY,
            () -> {
              if (machines.remove(ref.reveal()) != null) {
                say("destroyed", ref.reveal());
              }
              return true;
            });
  }

  @Override
  public Inventory list(InstallationId installation) throws InterruptedException {
    return call(
        Call.LIST,
        () -> {
          var entries = new ArrayList<InventoryEntry>();
          var listed = new TreeMap<String, Instant>(ghosts);
          machines.forEach((key, machine) -> listed.put(key, machine.createdAt));
          listed.keySet().removeAll(hidden);
          listed.forEach((key, at) ->
              entries.add(new InventoryEntry(new SandboxKey(key), ExternalRef.of(key), at)));
          return new Inventory(entries, others, unmarked);
        });
  }

  @Override
  public synchronized Optional<Duration> used(ExternalRef ref) {
    return Optional.of(awake(ref.reveal()));
  }

  @Override
  public void close() {}

  private <T> T call(Call call, Supplier<T> effect) throws InterruptedException {
    CountDownLatch open;
    synchronized (this) {
      calls.add(call);
      open = hanging.contains(call) ? gate : new CountDownLatch(0);
    }
    open.await();
    return now(call, effect);
  }

  private synchronized <T> T now(Call call, Supplier<T> effect) {
    switch (mischief.apply(call)) {
      case NONE -> {
        return effect.get();
      }
      case BEFORE -> throw down();
      case AFTER -> {
        var _ = effect.get();
        throw down();
      }
      case LATE -> {
        late.add(() -> {
          try {
            var _ = effect.get();
          } catch (BackendException tooLate) {
            // There is nothing to do it to any more.
          }
        });
        throw down();
      }
    }
    throw new AssertionError();
  }

  private static BackendException down() {
    return new BackendException.Unavailable("the vendor is down", Duration.ZERO, null);
  }

  /** How long sandboxes were awake in all that came when nobody asked any more. */
  synchronized double lateSeconds() {
    return madeLate.stream().mapToDouble(key -> awake(key).toMillis() / 1000.0).sum();
  }

  private void say(String what, String key) {
    if (isLate && what.equals("created")) {
      madeLate.add(key);
    }
    events.add(new Event(clock.instant(), what, key));
  }

  private Machine machine(String key) {
    var machine = machines.get(key);
    if (machine == null) {
      throw new BackendException.SandboxGone("there is no sandbox " + key);
    }
    return machine;
  }

  private static final class Machine {
    private final Instant createdAt;
    private final Map<String, byte[]> files = new LinkedHashMap<>();
    private @Nullable Instant awakeSince;
    private boolean isNew = true;

    Machine(Instant createdAt) {
      this.createdAt = createdAt;
    }
  }

  private final class Handle implements Sandbox {

    private final String key;

    Handle(String key) {
      this.key = key;
    }

    @Override
    public ExternalRef ref() {
      return ExternalRef.of(key);
    }

    @Override
    public SandboxPath project() {
      return new SandboxPath("/project");
    }

    @Override
    public SandboxPath home() {
      return new SandboxPath("/home");
    }

    @Override
    public Outcome exec(Command command, OutputSink sink) throws InterruptedException {
      return call(
          Call.EXEC,
          () -> {
            var machine = machine(key);
            if (command.argv().contains(SandboxScript.MANIFEST.text())) {
              machine.files.forEach((path, content) ->
                  print(
                      sink,
                      "file\t%d %d %s%n"
                          .formatted(java.util.Arrays.hashCode(content), content.length, path)));
              print(sink, "whole\n");
              return new Outcome.Exited(0, 0);
            }
            return commands.apply(command);
          });
    }

    private void print(OutputSink sink, String text) {
      sink.accept(
          OutputSink.Channel.STDOUT, ByteBuffer.wrap(text.getBytes(UTF_8)).asReadOnlyBuffer());
    }

    @Override
    public FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException {
      return call(
          Call.FILE,
          () -> {
            var content = machine(key).files.get(path.value());
            return content == null
                ? new FileRead.Absent()
                : new FileRead.Content(content, content.length, true);
          });
    }

    @Override
    public FileWrite write(SandboxPath path, byte[] content, FileMode mode)
        throws InterruptedException {
      return call(
          Call.FILE,
          () -> {
            machine(key).files.put(path.value(), content.clone());
            return new FileWrite.Written(content.length);
          });
    }
  }
}
