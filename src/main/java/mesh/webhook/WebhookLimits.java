package mesh.webhook;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How often and how long Mesh tries to tell a receiver something.
 *
 * @param timeout of one call, from the look-up of the name to the end of the answer
 * @param retries how long to wait after each failure, so one fewer than there are attempts
 * @param pauseAfter how long a webhook may fail without one success before it is paused
 * @param retention how long deliveries stay in the log
 * @param period how often to look for what is due that no event of this instance told of
 */
@ConfigurationProperties("mesh.webhooks")
record WebhookLimits(
    @DefaultValue("10s") Duration timeout,
    @DefaultValue({"5s", "30s", "2m", "10m", "1h", "6h", "24h"}) List<Duration> retries,
    @DefaultValue("3d") Duration pauseAfter,
    @DefaultValue("30d") Duration retention,
    @DefaultValue("2s") Duration period) {

  WebhookLimits {
    retries = List.copyOf(retries);
  }

  /** How long a claim lasts: whoever loses it has given up its call before. */
  Duration claim() {
    return timeout.multipliedBy(2).plusSeconds(5);
  }
}
