package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import mesh.execution.EgressControl;
import mesh.execution.EgressGrade;
import mesh.execution.EgressPolicy;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;
import mesh.execution.remote.Patience;

/** Sprites whose code is kept to a list of hosts by the vendor's own network policy. */
@EgressGrade(
    value = EgressControl.Grade.DNS,
    staysOpen =
        "Names are checked when they are looked up and addresses are let through for an hour after"
            + " that, on every port: other sites at the address of an allowed one can be reached, and"
            + " lookups of other names may still carry data out.")
final class RestrictingSpritesBackend extends SpritesBackend implements EgressControl {

  RestrictingSpritesBackend(
      Account account, SecureRandom random, Patience.Pause pause, Duration margin) {
    super(account, random, pause, margin);
  }

  @Override
  public Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException {
    return restricted(spec, policy);
  }
}
