package mesh.simulator.sprites;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** What a test may set on a running simulator; the getters' values hold for calls from then on. */
final class Settings {

  private volatile Mode mode = Mode.LIVE;
  private volatile Duration lingerAfterExit = Duration.ofSeconds(5);
  private volatile Duration graceAfterDisconnect = Duration.ofSeconds(10);
  private volatile Optional<String> requiredToken = Optional.empty();
  private volatile InstantSource clock = InstantSource.system();
  private volatile Witness witness = Witness.NOBODY;

  Mode mode() {
    return mode;
  }

  void mode(Mode value) {
    mode = value;
  }

  Duration lingerAfterExit() {
    return lingerAfterExit;
  }

  void lingerAfterExit(Duration value) {
    lingerAfterExit = value;
  }

  Duration graceAfterDisconnect() {
    return graceAfterDisconnect;
  }

  void graceAfterDisconnect(Duration value) {
    graceAfterDisconnect = value;
  }

  void requireToken(String value) {
    requiredToken = Optional.of(value);
  }

  boolean accepts(String token) {
    return !token.isBlank() && requiredToken.map(token::equals).orElse(true);
  }

  InstantSource clock() {
    return clock;
  }

  void clock(InstantSource value) {
    clock = value;
  }

  Witness witness() {
    return witness;
  }

  void witness(Witness value) {
    witness = value;
  }
}
