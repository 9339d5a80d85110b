package mesh.fault;

import java.time.Duration;
import java.util.Map;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.Faults;

/** A vendor on a bad day: a fifth of what makes and ends sandboxes goes wrong in some way. */
final class VendorTrouble {

  /** The longest time after which something takes effect that was asked before. */
  static final Duration LATEST = Duration.ofSeconds(3);

  private static final double SELDOM = 0.04;

  private VendorTrouble() {}

  static void begin(Faults faults, long seed) {
    var number = seed;
    for (var fault :
        new Fault[] {
          new Fault.LostResponse(),
          new Fault.LateEffect(Duration.ofSeconds(1)),
          new Fault.DroppedBefore(),
          Fault.rateLimited(Duration.ofSeconds(1)),
          Fault.slow(Duration.ofSeconds(1))
        }) {
      faults.randomly(number++, SELDOM, CallKind.CREATE, fault);
    }
    for (var fault :
        new Fault[] {
          Fault.status(500),
          new Fault.Answer(409, Map.of(), "{\"error\":\"sprite is busy\"}"),
          new Fault.LostResponse(),
          new Fault.SlowDelete(Duration.ofSeconds(1)),
          new Fault.LateEffect(Duration.ofSeconds(1))
        }) {
      faults.randomly(number++, SELDOM, CallKind.DELETE, fault);
    }
    for (var kind : new CallKind[] {CallKind.GET, CallKind.LIST}) {
      faults.randomly(number++, SELDOM, kind, Fault.status(503));
      faults.randomly(number++, SELDOM, kind, new Fault.DroppedBefore());
    }
    faults.randomly(number++, 3 * SELDOM, CallKind.LIST, new Fault.StaleList(LATEST));
    faults.randomly(number++, SELDOM, CallKind.EXEC, Fault.status(502));
    faults.randomly(number++, SELDOM, CallKind.EXEC, new Fault.DroppedBefore());
    faults.randomly(number++, SELDOM / 2, CallKind.EXEC, new Fault.CutAfter(0));
    faults.randomly(number, SELDOM / 2, CallKind.EXEC, new Fault.NoExit(true));
  }
}
