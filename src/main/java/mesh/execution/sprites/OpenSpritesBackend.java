package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import mesh.execution.remote.Patience;

/** Sprites whose code may connect anywhere. */
final class OpenSpritesBackend extends SpritesBackend {

  OpenSpritesBackend(Account account, SecureRandom random, Patience.Pause pause, Duration margin) {
    super(account, random, pause, margin);
  }
}
