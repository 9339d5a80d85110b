package mesh.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.history.Event.PermissionChanged;
import mesh.history.Event.RowChanged;
import org.jspecify.annotations.Nullable;

/** The same history by sandbox, by workspace and by permission. */
final class Timeline {

  private final Instant end;
  private final List<Life> lives;
  private final Map<UUID, List<RowChanged>> rows;
  private final Map<String, List<Naming>> namings;
  private final Map<String, List<PermissionChanged>> permissions;
  private final Map<UUID, List<Ledger.Mark>> taints;

  private Timeline(History history) {
    this.end = history.end();
    this.lives = Lives.in(history);
    this.rows =
        history
            .all(RowChanged.class)
            .collect(
                Collectors.groupingBy(
                    RowChanged::workspace, LinkedHashMap::new, Collectors.toList()));
    this.permissions =
        history
            .all(PermissionChanged.class)
            .collect(Collectors.groupingBy(change -> change.agent() + change.provider()));
    this.taints =
        history.ledger().taints().stream().collect(Collectors.groupingBy(Ledger.Mark::of));
    this.namings = namings(rows, history.end());
  }

  static Timeline of(History history) {
    return new Timeline(history);
  }

  /** A row named a sandbox, from then until then, and the sandbox was that row's run's. */
  record Naming(String sandbox, UUID workspace, UUID run, Span span) {}

  private static Map<String, List<Naming>> namings(Map<UUID, List<RowChanged>> rows, Instant end) {
    var all = new HashMap<String, List<Naming>>();
    rows.values()
        .forEach(changes -> {
          RowChanged since = null;
          for (var change : changes) {
            var key = change.is("released", "pending") ? null : change.key();
            if (since != null && !String.valueOf(since.key()).equals(String.valueOf(key))) {
              add(all, since, change.at());
              since = null;
            }
            if (since == null && key != null) {
              since = change;
            }
          }
          if (since != null) {
            add(all, since, end);
          }
        });
    return all;
  }

  private static void add(Map<String, List<Naming>> all, RowChanged since, Instant until) {
    var key = String.valueOf(since.key());
    all.computeIfAbsent(key, _ -> new ArrayList<>())
        .add(new Naming(key, since.workspace(), since.run(), new Span(since.at(), until)));
  }

  List<Life> lives() {
    return lives;
  }

  List<Naming> namings(String sandbox) {
    return namings.getOrDefault(sandbox, List.of());
  }

  /** Nobody's from its beginning to its end: made after its row had moved on. */
  boolean isOrphan(Life life) {
    return namings(life.sandbox()).stream()
        .noneMatch(naming -> naming.span().overlaps(life.span()));
  }

  /** Whose it was then; if nobody's, whose it was last. */
  Optional<Naming> owner(String sandbox, Instant at) {
    return namings(sandbox).stream()
        .filter(naming -> !naming.span().from().isAfter(at))
        .max(Comparator.comparing(naming -> naming.span().from()));
  }

  /** When a row was held with it. */
  List<Span> held(String sandbox) {
    var spans = new ArrayList<Span>();
    for (var naming : namings(sandbox)) {
      RowChanged since = null;
      for (var change : rows.getOrDefault(naming.workspace(), List.of())) {
        if (since != null) {
          spans.add(new Span(since.at(), change.at()));
        }
        since = change.is("held") && sandbox.equals(change.key()) ? change : null;
      }
      if (since != null) {
        spans.add(new Span(since.at(), end));
      }
    }
    return spans;
  }

  Map<UUID, List<RowChanged>> rows() {
    return rows;
  }

  /** What the row said then; null before there was one. */
  @Nullable RowChanged rowAt(UUID workspace, Instant at) {
    RowChanged last = null;
    for (var change : rows.getOrDefault(workspace, List.of())) {
      if (change.at().isAfter(at)) {
        break;
      }
      last = change;
    }
    return last;
  }

  /** The revision that was current then. */
  long revisionAt(UUID agent, String provider, Instant at) {
    return changes(agent, provider).stream()
        .filter(change -> !change.at().isAfter(at))
        .mapToLong(PermissionChanged::revision)
        .max()
        .orElse(1);
  }

  /** When this revision stopped being the current one; empty if it did not. */
  Optional<PermissionChanged> outdated(Ledger.Mark mark) {
    return changes(mark.agent(), mark.provider()).stream()
        .filter(change -> change.revision() > mark.revision())
        .findFirst();
  }

  private List<PermissionChanged> changes(UUID agent, String provider) {
    return permissions.getOrDefault(agent + provider, List.of());
  }

  /** All authority that ever touched a workspace's sandboxes. */
  List<Ledger.Mark> taints(UUID workspace) {
    return taints.getOrDefault(workspace, List.of());
  }
}
