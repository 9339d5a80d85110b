package mesh;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Time, randomness and ids: what every module takes as a JDK type instead of asking the machine.
 */
@Configuration(proxyBeanMethods = false)
class Ambient {

  @Bean
  Clock clock() {
    return Clock.systemUTC();
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }

  @Bean
  Supplier<UUID> ids(Clock clock, SecureRandom random) {
    return () -> timeOrdered(clock.millis(), random);
  }

  /** RFC 9562 version 7: later ids sort after earlier ones, so new rows share index pages. */
  static UUID timeOrdered(long millis, SecureRandom random) {
    long high = millis << 16 | 0x7000L | random.nextInt(1 << 12);
    long low = random.nextLong() >>> 2 | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }
}
