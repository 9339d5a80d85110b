package mesh.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mesh.history.Event.Called;
import mesh.history.Event.Killed;
import mesh.history.Event.RowChanged;
import mesh.history.Event.What;

/**
 * I4: no command runs on for more than six seconds when its authority is lost, and none that is
 * asked for after a run's end or a revocation was answered is run at all. Authority is lost when
 * the row leaves ready, when what touched the sandbox is out of date, or when the run ends.
 *
 * <p>Nobody watches a command whose server was killed: that one has as long as the vendor leaves
 * it. What Mesh itself does in a sandbox that is being made, woken or put to sleep is no command of
 * an agent.
 */
final class NothingRunsOn implements Invariant {

  private final Promises promises;

  NothingRunsOn(Promises promises) {
    this.promises = promises;
  }

  @Override
  public String name() {
    return "I4";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var violations = new ArrayList<Violation>();
    var kills = history.all(Killed.class).toList();
    for (var life : timeline.lives()) {
      for (var command : life.commands()) {
        tooLong(command, history, timeline, kills).ifPresent(violations::add);
      }
    }
    violations.addAll(answeredTooLate(history));
    return violations;
  }

  private Optional<Violation> tooLong(
      Life.Command command, History history, Timeline timeline, List<Killed> kills) {
    var began = command.span().from();
    var owner = timeline.owner(command.began().sandbox(), began);
    if (owner.isEmpty()) {
      return Optional.empty();
    }
    var workspace = owner.get().workspace();
    var row = timeline.rowAt(workspace, began);
    if (row == null || isOfMesh(row)) {
      return Optional.empty();
    }
    var lost = lost(workspace, began, history, timeline);
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    var limit = lost.get().plus(promises.cancel());
    for (var kill : kills) {
      if (command.span().contains(kill.at())) {
        var abandoned = kill.at().plus(promises.abandoned());
        limit = abandoned.isAfter(limit) ? abandoned : limit;
      }
    }
    return command.span().until().isAfter(limit)
        ? Optional.of(
            new Violation(
                name(),
                "a command of workspace %s ran until %s, its authority was lost at %s"
                    .formatted(workspace, command.span().until(), lost.get()),
                Stream.concat(
                        Stream.of(command.began()),
                        timeline.rows().getOrDefault(workspace, List.of()).stream())
                    .toList()))
        : Optional.empty();
  }

  private static boolean isOfMesh(RowChanged row) {
    return row.is("pending") || row.is("releasing") && row.afterwards().equals("held");
  }

  /** When a command that began then had no authority any more; empty if it always had. */
  private static Optional<Instant> lost(
      UUID workspace, Instant began, History history, Timeline timeline) {
    var changes = timeline.rows().getOrDefault(workspace, List.of());
    var before = timeline.rowAt(workspace, began);
    Stream<Instant> left =
        before != null && before.is("ready", "creating")
            ? changes.stream()
                .filter(change -> change.at().isAfter(began) && !change.is("ready", "creating"))
                .map(RowChanged::at)
                .limit(1)
            : Stream.of(leftBefore(changes, began));
    var outdated =
        timeline.taints(workspace).stream()
            .flatMap(taint -> timeline.outdated(taint).stream())
            .map(Event.PermissionChanged::at);
    var ended =
        changes.stream()
            .limit(1)
            .flatMap(change -> history.ledger().run(change.run()).stream())
            .map(Ledger.RunRow::endedAt)
            .filter(Objects::nonNull);
    return Stream.of(left, outdated, ended).flatMap(times -> times).min(Comparator.naturalOrder());
  }

  private static Instant leftBefore(List<RowChanged> changes, Instant began) {
    var left = began;
    for (int i = changes.size() - 1; i >= 0; i--) {
      var change = changes.get(i);
      if (!change.at().isAfter(began)) {
        if (change.is("ready", "creating")) {
          return left;
        }
        left = change.at();
      }
    }
    return left;
  }

  /** As the clients saw it: whoever was told of an end may rely on it. */
  private List<Violation> answeredTooLate(History history) {
    var issued =
        history.ledger().issuances().stream().collect(Collectors.groupingBy(Ledger.Mark::of));
    var ends =
        history
            .all(Called.class)
            .filter(NothingRunsOn::ends)
            .collect(Collectors.groupingBy(Called::subject));
    var violations = new ArrayList<Violation>();
    history
        .all(Called.class)
        .filter(call -> call.what() == What.EXECUTED && call.succeeded())
        .forEach(call -> {
          var marks = issued.getOrDefault(call.subject(), List.of());
          Stream.concat(Stream.of(call.subject()), marks.stream().map(Ledger.Mark::agent))
              .distinct()
              .flatMap(subject -> ends.getOrDefault(subject, List.of()).stream())
              .filter(end -> Objects.requireNonNull(end.answered()).isBefore(call.at()))
              .filter(end -> end.what() == What.RUN_ENDED || outdates(end, marks))
              .findFirst()
              .ifPresent(end -> violations.add(tooLate(end, call)));
        });
    return violations;
  }

  private Violation tooLate(Called end, Called call) {
    return new Violation(
        name(),
        "run %s was given a command after its authority was said to be lost"
            .formatted(call.subject()),
        List.of(end, call));
  }

  private static boolean ends(Called call) {
    return call.what() != What.RUN_STARTED
        && call.what() != What.EXECUTED
        && call.succeeded()
        && call.answered() != null;
  }

  private static boolean outdates(Called decision, List<Ledger.Mark> issued) {
    return issued.stream()
        .anyMatch(mark ->
            mark.provider().equals(decision.provider()) && mark.revision() < decision.revision());
  }
}
