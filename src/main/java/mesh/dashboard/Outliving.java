package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import mesh.workspace.WorkspaceLedger;
import org.springframework.stereotype.Component;

/**
 * How many sandboxes outlive the revocation of their credential. Every page tells it, so it is
 * known to within five seconds and not asked for each page.
 */
@Component
class Outliving {

  private static final Duration FRESH = Duration.ofSeconds(5);

  private record Counted(int count, Instant at) {}

  private final WorkspaceLedger ledger;
  private final InstantSource clock;
  private volatile Counted last = new Counted(0, Instant.EPOCH);

  Outliving(WorkspaceLedger ledger, InstantSource clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  int count() {
    Instant now = clock.instant();
    Counted known = last;
    if (Duration.between(known.at(), now).compareTo(FRESH) >= 0) {
      known = new Counted(ledger.aliveAfterRevocation().size(), now);
      last = known;
    }
    return known.count();
  }
}
