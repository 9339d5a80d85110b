package mesh.simulator.modal;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** What can be changed while the simulator runs. */
final class Settings {

  private volatile InstantSource clock = InstantSource.system();
  private volatile Duration authTokenLifetime = Duration.ofMinutes(20);
  private volatile Duration routerTokenLifetime = Duration.ofHours(24);
  private volatile Duration listLag = Duration.ZERO;
  private volatile int pageSize = 100;

  Instant now() {
    return clock.instant();
  }

  void clock(InstantSource value) {
    clock = value;
  }

  Duration authTokenLifetime() {
    return authTokenLifetime;
  }

  void authTokenLifetime(Duration value) {
    authTokenLifetime = value;
  }

  Duration routerTokenLifetime() {
    return routerTokenLifetime;
  }

  void routerTokenLifetime(Duration value) {
    routerTokenLifetime = value;
  }

  Duration listLag() {
    return listLag;
  }

  void listLag(Duration value) {
    listLag = value;
  }

  int pageSize() {
    return pageSize;
  }

  void pageSize(int value) {
    pageSize = value;
  }
}
