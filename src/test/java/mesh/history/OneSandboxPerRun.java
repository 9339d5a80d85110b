package mesh.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * I2: a run never has two living sandboxes. A sandbox is its run's from its making, or from the
 * moment the run's row took it over, until it is destroyed or another run's row takes it over. One
 * that was made when its row had moved on already is nobody's: no run can use it, and I3 demands
 * its end.
 */
final class OneSandboxPerRun implements Invariant {

  @Override
  public String name() {
    return "I2";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var byRun = new HashMap<UUID, List<Had>>();
    for (var life : timeline.lives()) {
      if (!timeline.isOrphan(life)) {
        had(life, timeline)
            .forEach((run, span) ->
                byRun.computeIfAbsent(run, _ -> new ArrayList<>()).add(new Had(life, span)));
      }
    }
    var violations = new ArrayList<Violation>();
    byRun.forEach((run, all) -> {
      for (int i = 0; i < all.size(); i++) {
        for (int j = i + 1; j < all.size(); j++) {
          if (all.get(i).span().overlaps(all.get(j).span())) {
            violations.add(both(run, all.get(i), all.get(j)));
          }
        }
      }
    });
    return violations;
  }

  private record Had(Life life, Span span) {}

  private Violation both(UUID run, Had one, Had other) {
    return new Violation(
        name(),
        "run %s had %s and %s at the same time"
            .formatted(run, one.life().sandbox(), other.life().sandbox()),
        List.of(one.life().created(), other.life().created()));
  }

  /** From when until when each run had it. */
  private static Map<UUID, Span> had(Life life, Timeline timeline) {
    var spans = new HashMap<UUID, Span>();
    var owners =
        timeline.namings(life.sandbox()).stream()
            .sorted(java.util.Comparator.comparing(naming -> naming.span().from()))
            .toList();
    for (int i = 0; i < owners.size(); i++) {
      var from = later(owners.get(i).span().from(), life.span().from());
      var until =
          i + 1 < owners.size() && !owners.get(i + 1).run().equals(owners.get(i).run())
              ? earlier(owners.get(i + 1).span().from(), life.span().until())
              : life.span().until();
      if (from.isBefore(until)) {
        spans.putIfAbsent(owners.get(i).run(), new Span(from, until));
      }
    }
    return spans;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
