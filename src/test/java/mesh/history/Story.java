package mesh.history;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import mesh.history.Event.Called;
import mesh.history.Event.What;
import mesh.history.Ledger.ActivityRow;
import mesh.history.Ledger.Mark;
import mesh.history.Ledger.PermissionRow;
import mesh.history.Ledger.RunRow;
import mesh.history.Ledger.TeardownRow;
import mesh.history.Ledger.WorkspaceRow;
import org.jspecify.annotations.Nullable;

/** Tells a made-up history, moment by moment, in seconds. */
final class Story {

  private static final Instant BEGINNING = Instant.parse("2030-01-01T00:00:00Z");

  final List<Event> events = new ArrayList<>();
  final List<RunRow> runs = new ArrayList<>();
  final List<WorkspaceRow> workspaces = new ArrayList<>();
  final List<TeardownRow> teardowns = new ArrayList<>();
  final List<Mark> taints = new ArrayList<>();
  final List<Mark> issuances = new ArrayList<>();
  final List<PermissionRow> permissions = new ArrayList<>();
  final List<ActivityRow> activity = new ArrayList<>();
  final Set<String> living = new HashSet<>();

  static Instant at(double second) {
    return BEGINNING.plusNanos((long) (second * 1e9));
  }

  static UUID id(String name) {
    return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
  }

  // the vendor

  Story created(double second, String sandbox) {
    return say(new Event.Created(at(second), sandbox, true));
  }

  Story woke(double second, String sandbox) {
    return say(new Event.Woke(at(second), sandbox));
  }

  Story slept(double second, String sandbox) {
    return say(new Event.Slept(at(second), sandbox));
  }

  Story destroyed(double second, String sandbox) {
    return slept(second, sandbox).say(new Event.Destroyed(at(second), sandbox));
  }

  Story command(double from, double until, String sandbox, String name) {
    return say(new Event.Began(at(from), sandbox, name))
        .say(new Event.Ended(at(until), sandbox, name));
  }

  Story wrote(double from, double until, String sandbox, String name, String credential) {
    return command(from, until, sandbox, name)
        .say(new Event.Wrote(at(from), sandbox, name, credential));
  }

  // the database

  Story row(double second, String workspace, String state, @Nullable String key) {
    return row(second, workspace, state, key, "released", null);
  }

  Story row(
      double second,
      String workspace,
      String state,
      @Nullable String key,
      String afterwards,
      @Nullable String reason) {
    return say(
        new Event.RowChanged(
            at(second), id(workspace), id("run of " + workspace), state, key, afterwards, reason));
  }

  Story changed(double second, String agent, long revision) {
    activity.add(new ActivityRow("credential.set", id(agent), "github", revision));
    return say(new Event.PermissionChanged(at(second), id(agent), "github", revision));
  }

  Story run(String workspace, String agent, @Nullable Double ended) {
    runs.add(
        new RunRow(
            id("run of " + workspace),
            id(agent),
            ended == null ? "running" : "completed",
            ended == null ? null : at(ended),
            1));
    return this;
  }

  Story last(String workspace, String agent, String state, @Nullable String key, double charged) {
    workspaces.add(
        new WorkspaceRow(
            id(workspace), id("run of " + workspace), id(agent), state, key, null, charged));
    return this;
  }

  Story inherited(
      String workspace, String from, String agent, String state, String key, double charged) {
    workspaces.add(
        new WorkspaceRow(
            id(workspace), id("run of " + workspace), id(agent), state, key, id(from), charged));
    return this;
  }

  Story done(String workspace, double second) {
    teardowns.add(new TeardownRow(id(workspace), at(second), 1, null));
    return this;
  }

  Story issued(String workspace, String agent, long revision) {
    taints.add(new Mark(id(workspace), id(agent), "github", revision));
    issuances.add(new Mark(id("run of " + workspace), id(agent), "github", revision));
    return this;
  }

  // clients

  Story called(double from, double until, What what, String subject, int status) {
    return called(from, until, what, subject, status, 0);
  }

  Story called(double from, double until, What what, String subject, int status, long revision) {
    return say(
        new Called(
            at(from),
            what,
            id(subject),
            revision == 0 ? "" : "github",
            at(until),
            status,
            revision));
  }

  Story lost(double from, What what, String subject) {
    return say(new Called(at(from), what, id(subject), "", null, 0, 0));
  }

  Story say(Event event) {
    events.add(event);
    return this;
  }

  History told() {
    return new History(
        events,
        new Ledger(runs, workspaces, teardowns, taints, issuances, permissions, activity),
        living,
        at(1000));
  }
}
