package mesh.fault;

import java.util.Optional;
import mesh.fault.Clients.Run;

/**
 * One way to die, and what is done about it.
 *
 * @param name as the plan numbers it
 * @param point where the server ends; empty if the test kills it while it waits for the vendor
 */
record Scenario(
    String name, Optional<FaultPoint> point, Drive drive, Reached reached, After after) {

  /** Brings the server to where it is to die; returns the run that it is about. */
  interface Drive {
    Run of(Scene scene) throws InterruptedException;
  }

  /** Whether it died in the right moment, where no point tells. */
  interface Reached {
    boolean by(Scene scene, Run run);
  }

  /** What clients do then, at the survivor, to the end of the run. */
  interface After {
    void of(Scene scene, Run run) throws InterruptedException;
  }

  static Scenario at(String name, FaultPoint point, Drive drive, After after) {
    return new Scenario(name, Optional.of(point), drive, (_, _) -> true, after);
  }

  static Scenario whileTheVendorIsAsked(String name, Drive drive, Reached reached, After after) {
    return new Scenario(name, Optional.empty(), drive, reached, after);
  }
}
