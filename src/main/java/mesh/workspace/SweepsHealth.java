package mesh.workspace;

import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Down while one of the threads that look after workspaces is silent: nobody would then end what is
 * revoked, idle or lost. Looks at memory alone.
 */
@Component("sweepsHealthIndicator")
class SweepsHealth implements HealthIndicator {

  private static final Logger log = LoggerFactory.getLogger(SweepsHealth.class);

  private final Pulses pulses;
  private Set<String> told = Set.of();

  SweepsHealth(Pulses pulses) {
    this.pulses = pulses;
  }

  @Override
  public Health health() {
    var silent = pulses.silent();
    tell(silent.keySet());
    return silent.isEmpty()
        ? Health.up().build()
        : Health.down().withDetail("silent", Map.copyOf(silent)).build();
  }

  private synchronized void tell(Set<String> silent) {
    if (!silent.equals(told)) {
      told = Set.copyOf(silent);
      log.atLevel(silent.isEmpty() ? Level.INFO : Level.ERROR)
          .addKeyValue("silent", silent)
          .log("silent sweeps changed");
    }
  }
}
