package mesh.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mesh.history.Ledger.WorkspaceRow;

/**
 * I9: what is counted for a workspace is at least what its sandboxes ran at the vendor. Workspaces
 * that passed a sandbox on are counted together. A sandbox that was made when its row had moved on
 * is on nobody's account.
 *
 * <p>A sandbox runs from its first command until it is destroyed; while its row is held, only as
 * long as a command runs in it, since that is what keeps the vendor from letting it sleep.
 */
final class ChargedEnough implements Invariant {

  /** Both clocks are the same; a row is written a moment after, and read in another unit. */
  private static final double SLACK_SECONDS = 0.05;

  private final double slackSeconds;

  ChargedEnough(Promises promises) {
    this.slackSeconds = SLACK_SECONDS + promises.lag().toMillis() / 1e3;
  }

  @Override
  public String name() {
    return "I9";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var accounts = accounts(history.ledger().workspaces());
    var charged = new HashMap<UUID, Double>();
    for (var row : history.ledger().workspaces()) {
      charged.merge(accounts.get(row.id()), row.charged(), Double::sum);
    }
    var ran = new HashMap<UUID, Double>();
    var lives = new HashMap<UUID, List<Event>>();
    for (var life : timeline.lives()) {
      if (!timeline.isOrphan(life)) {
        var account = accounts.get(timeline.namings(life.sandbox()).getFirst().workspace());
        ran.merge(account, seconds(life, timeline), Double::sum);
        var events = lives.computeIfAbsent(account, _ -> new ArrayList<>());
        events.add(life.created());
        life.commands().forEach(command -> events.add(command.began()));
      }
    }
    var violations = new ArrayList<Violation>();
    ran.forEach((account, seconds) -> {
      double counted = charged.getOrDefault(account, 0.0);
      if (counted + slackSeconds < seconds) {
        violations.add(
            new Violation(
                name(),
                "workspace %s ran %.3f s and was charged %.3f s"
                    .formatted(account, seconds, counted),
                lives.getOrDefault(account, List.of())));
      }
    });
    return violations;
  }

  private static double seconds(Life life, Timeline timeline) {
    var ran = new ArrayList<Span>();
    life.awake().forEach(span -> ran.addAll(span.without(timeline.held(life.sandbox()))));
    life.commands().forEach(command -> ran.add(command.span()));
    return Span.union(ran).stream().map(Span::length).mapToLong(Duration::toNanos).sum() / 1e9;
  }

  /** By workspace the one at the beginning of its chain. */
  private static Map<UUID, UUID> accounts(List<WorkspaceRow> rows) {
    var from = new HashMap<UUID, UUID>();
    rows.forEach(row -> {
      if (row.inheritedFrom() != null) {
        from.put(row.id(), row.inheritedFrom());
      }
    });
    var accounts = new HashMap<UUID, UUID>();
    for (var row : rows) {
      var first = row.id();
      while (from.containsKey(first)) {
        first = from.get(first);
      }
      accounts.put(row.id(), first);
    }
    return accounts;
  }
}
