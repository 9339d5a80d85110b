package mesh.workspace;

import static mesh.credential.Provider.GITHUB;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.credential.Rows;
import mesh.database.Instances;
import mesh.execution.BackendException;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.SandboxPath;
import mesh.fault.FaultPoint;
import mesh.fault.InProcessFaults;
import mesh.run.NewRun;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.RunStatus;
import mesh.run.Runs;
import mesh.tool.LiveOutput;
import mesh.tool.ToolRefusal;
import mesh.workspace.FakeVendor.Call;
import mesh.workspace.FakeVendor.Mischief;
import mesh.workspace.StillMesh.Instance;
import org.jspecify.annotations.Nullable;

/** One seed's days. Deterministic but for what the database and the classes leave open. */
final class Simulation {

  private static final int MOST_RUNS = 6;
  private static final Duration LEASE = Duration.ofSeconds(20);

  /** The longest after which a vendor still does what it said it had not. */
  private static final Duration LATEST = Duration.ofSeconds(60);

  private final SimulatedWorld world;
  private final Random random;
  private final AgentId agent;
  private final List<Instance> servers = new ArrayList<>();
  private final List<RunId> live = new ArrayList<>();
  private final List<RunId> all = new ArrayList<>();
  private final List<UUID> conversations = List.of(UUID.randomUUID(), UUID.randomUUID());
  private final List<String> violations = new ArrayList<>();
  private final Instant begun;
  private double trouble = 0.2;
  private @Nullable Instant lateSince;

  Simulation(SimulatedWorld world, Random random) {
    this.world = world;
    this.random = random;
    this.begun = world.now();
    this.agent = new Rows(world.jdbc).agent(4);
    world.vendor.mischief(this::mischief);
    world.vendor.commands(
        _ -> random.nextInt(12) == 0 ? new Outcome.OutOfMemory() : new Outcome.Exited(0, 0));
    InProcessFaults.hearNothing();
  }

  Duration lasted() {
    return Duration.between(begun, world.now());
  }

  List<String> violations() {
    return violations;
  }

  // what happens

  void step() throws InterruptedException {
    while (servers.size() < 2) {
      servers.add(born());
    }
    var server = servers.get(random.nextInt(servers.size()));
    var dies = random.nextInt(10) == 0;
    var after = random.nextInt(4);
    var countdown = new int[] {after};
    // A server that has died stays dead: nothing of it reaches a further point, on any thread.
    var death = new AtomicReference<@Nullable Death>();
    InProcessFaults.hear(point -> {
      if (dies && countdown[0]-- <= 0) {
        death.compareAndSet(null, new Death(point));
        throw Objects.requireNonNull(death.get());
      }
    });
    try {
      act(server);
    } catch (Death died) {
      // Some die on a thread of their own, which tells nobody.
    } finally {
      InProcessFaults.hearNothing();
    }
    var died = death.get();
    if (died != null) {
      world.tally().add("died at " + died.point);
      servers.remove(server);
      server.context().close();
    }
    pass(Duration.ofSeconds(1 + random.nextInt(random.nextInt(20) == 0 ? 3600 : 120)));
    check();
  }

  private void act(Instance server) throws InterruptedException {
    int what = random.nextInt(100);
    if (what < 12) {
      begin();
    } else if (what < 50) {
      use(server);
    } else if (what < 60) {
      end();
    } else if (what < 63) {
      world.tally().add("revoked");
      new Rows(world.jdbc).touch(agent, GITHUB);
    } else if (what < 80) {
      release(server, 3);
    } else if (what < 88) {
      server.bean(AbandonedWorkspaces.class).sweep();
    } else {
      sweep(server);
    }
  }

  private void sweep(Instance server) throws InterruptedException {
    server.bean(OldWorkspaces.class).sweep();
    server.bean(IdleWorkspaces.class).sweep();
    server.bean(ComputeBudgets.class).sweep();
    server.bean(InventorySweep.class).sweep();
  }

  private void begin() {
    if (live.size() >= MOST_RUNS) {
      return;
    }
    var conversation =
        random.nextBoolean() ? conversations.get(random.nextInt(conversations.size())) : null;
    var run =
        world
            .mesh
            .bean(Runs.class)
            .create(
                new NewRun(
                    agent, RunMode.EXTERNAL, "", ActorId.SYSTEM, null, conversation, null, null));
    live.add(run.id());
    all.add(run.id());
  }

  private void use(Instance server) throws InterruptedException {
    if (live.isEmpty()) {
      return;
    }
    var run = live.get(random.nextInt(live.size()));
    try {
      Optional<Workspace> workspace = workspace(server, run);
      if (workspace.isPresent()) {
        var command =
            Command.of(List.of("work"), new SandboxPath("/project"), Duration.ofMinutes(1));
        var executed = workspace.get().exec(command, Map.of(), LiveOutput.NONE);
        world
            .tally()
            .add(executed.outcome() instanceof Outcome.OutOfMemory ? "out of memory" : "worked");
      }
    } catch (ToolRefusal refusal) {
      world.tally().add("refused " + refusal.code());
    } catch (BackendException trouble) {
      world.tally().add("vendor trouble");
    } catch (Workspace.Superseded moved) {
      server.bean(Workspaces.class).forget(run);
      world.tally().add("superseded");
    }
  }

  /** As {@link Workspaces} does, but for the waiting. */
  private Optional<Workspace> workspace(Instance server, RunId run) throws InterruptedException {
    var workspaces = server.bean(Workspaces.class);
    var known = workspaces.held(run);
    if (known.isPresent()) {
      return known;
    }
    for (int i = 0; i < 3; i++) {
      var claim = server.bean(WorkspaceClaims.class).claim(run);
      world.tally().add("claim " + claim.getClass().getSimpleName());
      var made = workspaces.follow(claim);
      if (made.isPresent()) {
        if (random.nextBoolean()) {
          workspaces.keep(run, made.get());
        }
        return made;
      }
    }
    return Optional.empty();
  }

  private void end() {
    if (live.isEmpty()) {
      return;
    }
    var run = live.remove(random.nextInt(live.size()));
    world.mesh.bean(Runs.class).end(run, RunStatus.COMPLETED, "over", null, ActorId.SYSTEM);
  }

  private void release(Instance server, int most) {
    var me = server.bean(Instances.class).instanceId();
    for (var row :
        server.bean(TeardownRepository.class).claim("fake", me, Duration.ofSeconds(60), most)) {
      var _ = server.bean(Teardowns.class).attempt(row);
    }
  }

  /** Only what makes and destroys comes late: a late sleep would be a vendor's own mistake. */
  private Mischief mischief(Call call) {
    if (random.nextDouble() >= trouble) {
      return Mischief.NONE;
    }
    return switch (random.nextInt(3)) {
      case 0 -> Mischief.BEFORE;
      case 1 -> Mischief.AFTER;
      default -> call == Call.ACQUIRE || call == Call.DESTROY ? Mischief.LATE : Mischief.BEFORE;
    };
  }

  // time and servers

  private Instance born() {
    var server = world.mesh.instance();
    renew(server);
    return server;
  }

  private void renew(Instance server) {
    world
        .jdbc
        .sql(
            """
            insert into instances (id, host, lease_until)
            values (:id, 'simulated', clock_timestamp() + :millis * interval '1 millisecond')
                on conflict (id) do update set lease_until = excluded.lease_until
            """)
        .param("id", server.bean(Instances.class).instanceId())
        .param("millis", LEASE.toMillis())
        .update();
  }

  private void pass(Duration by) {
    world.pass(by);
    servers.forEach(this::renew);
    if (!world.vendor.hasLate()) {
      lateSince = null;
    } else if (lateSince == null) {
      lateSince = world.now().minus(by);
    }
    if (lateSince != null && Duration.between(lateSince, world.now()).compareTo(LATEST) >= 0) {
      world.vendor.deliverLate();
      lateSince = null;
    }
  }

  // what must hold

  /** At each moment: a run has one sandbox at most that is awake, and none beside its own. */
  private void check() {
    var ofRun = new HashMap<String, Integer>();
    world
        .jdbc
        .sql(
            "select run_id, create_key from workspaces where agent_id = :agent and create_key is not null and state <> 'released'")
        .param("agent", agent.value())
        .query((row, _) -> Map.entry(row.getString(1), row.getString(2)))
        .list()
        .forEach(row -> {
          if (Boolean.TRUE.equals(world.vendor.sandboxes().get(row.getValue()))) {
            ofRun.merge(row.getKey(), 1, Integer::sum);
          }
        });
    ofRun.forEach((run, count) -> {
      if (count > 1) {
        violations.add("I2: run " + run + " has " + count + " sandboxes");
      }
    });
    int unauthorized =
        count(
            """
            select count(*)
              from workspaces w
             where w.agent_id = :agent and w.state in ('creating', 'ready', 'held')
               and exists (select from workspace_taints t
                             join workspace_credential_permissions p using (agent_id, provider)
                            where t.workspace_id = w.id and p.revision <> t.permission_revision)
            """);
    if (unauthorized > 0) {
      violations.add("I6: " + unauthorized + " workspaces outlived a revocation");
    }
  }

  /** The trouble is over and everybody had the time that is promised. */
  void settle() throws InterruptedException {
    trouble = 0;
    world.vendor.commands(_ -> new Outcome.Exited(0, 0));
    while (servers.size() < 2) {
      servers.add(born());
    }
    for (int minute = 0; minute < 50; minute++) {
      pass(Duration.ofSeconds(61));
      for (var server : servers) {
        server.bean(AbandonedWorkspaces.class).sweep();
        server.bean(OldWorkspaces.class).sweep();
        release(server, 50);
        if (minute % 10 == 0) {
          server.bean(InventorySweep.class).sweep();
        }
      }
    }
    atRest();
    while (!live.isEmpty()) {
      end();
    }
    for (int hour = 0; hour < 26; hour++) {
      pass(Duration.ofHours(1));
      sweep(servers.getFirst());
      release(servers.getFirst(), 50);
    }
    if (!world.vendor.sandboxes().isEmpty()) {
      violations.add("I3: at the end there are " + world.vendor.sandboxes());
    }
    paid();
    servers.forEach(server -> server.context().close());
  }

  private void atRest() {
    var rows = new HashMap<String, Boolean>();
    world
        .jdbc
        .sql("select create_key, state from workspaces where state in ('ready', 'held')")
        .query((row, _) -> Map.entry(row.getString(1), row.getString(2).equals("ready")))
        .list()
        .forEach(row -> rows.put(row.getKey(), row.getValue()));
    if (!rows.equals(world.vendor.sandboxes())) {
      violations.add("I3: the vendor has " + world.vendor.sandboxes() + ", the rows say " + rows);
    }
    int between =
        count(
            "select count(*) from workspaces where agent_id = :agent and state in ('creating', 'releasing', 'stranded')");
    if (between > 0) {
      violations.add("I3: " + between + " workspaces came to no rest");
    }
  }

  private void paid() {
    int unreleased =
        count(
            """
            select count(*)
              from workspaces w
              join runs r on r.id = w.run_id
             where w.agent_id = :agent and r.ended_at is not null and w.state <> 'released'
            """);
    if (unreleased > 0) {
      violations.add("I8: " + unreleased + " ended runs still have a workspace");
    }
    int unfinished =
        count(
            """
            select count(*)
              from workspace_teardowns t
              join workspaces w on w.id = t.workspace_id
             where w.agent_id = :agent and t.done_at is null
            """);
    if (unfinished > 0) {
      violations.add("I8: " + unfinished + " teardowns never finished");
    }
    // By the name under which it was made, over all rows that it passed through.
    var made = new HashMap<String, Duration>();
    for (var event : world.vendor.events()) {
      // What an earlier seed left asleep may end in this one, and was that one's to pay.
      if (event.what().equals("created") && !event.at().isBefore(begun)) {
        made.computeIfAbsent(event.key(), world.vendor::awake);
      }
    }
    double real = made.values().stream().mapToDouble(it -> it.toMillis() / 1000.0).sum();
    double orphaned = world.vendor.lateSeconds();
    double charged =
        world
            .jdbc
            .sql("select coalesce(sum(sandbox_seconds), 0) from workspaces where agent_id = :agent")
            .param("agent", agent.value())
            .query(Double.class)
            .single();
    if (charged + orphaned + 1 < real) {
      violations.add(
          "I9: %.0f s were charged of %.0f s, %.0f s of them out of any row"
              .formatted(charged, real, orphaned));
    }
  }

  private int count(String sql) {
    return world.jdbc.sql(sql).param("agent", agent.value()).query(Integer.class).single();
  }

  /** A server is gone in the middle of something. */
  private static final class Death extends Error {
    private final transient FaultPoint point;

    Death(FaultPoint point) {
      super(point.name(), null, false, false);
      this.point = point;
    }
  }
}
