package mesh.database;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

/** Whether Mesh can keep what it is told. Part of readiness, never of liveness. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(HealthChecks.Thresholds.class)
class HealthChecks {

  /**
   * @param minFreeDisk below so much free disk under the data folder the embedded PostgreSQL is
   *     about to stop for good
   */
  @ConfigurationProperties("mesh.health")
  record Thresholds(@DefaultValue("256MB") DataSize minFreeDisk) {}

  /**
   * By the connections that tell whether commands may go on: when these do not answer, none may,
   * and a service that is merely busy is not taken for one that cannot serve.
   */
  @Bean("database")
  HealthIndicator databaseHealth(@Qualifier("authorityPool") SidePool pool) {
    return new BoundedCheck(
        "database",
        () -> {
          boolean standby =
              pool.jdbc().sql("select pg_is_in_recovery()").query(Boolean.class).single();
          if (standby) {
            throw new BoundedCheck.Unfit("it is a standby, which takes no writes");
          }
          return Map.of();
        });
  }

  @Bean
  Gauge freeDisk(DataFolder folder, MeterRegistry meters) {
    return Gauge.builder("mesh.database.disk.free", folder, HealthChecks::free)
        .description("Free disk under the data folder")
        .baseUnit("bytes")
        .register(meters);
  }

  private static long free(DataFolder folder) {
    try {
      return Files.getFileStore(folder.path()).getUsableSpace();
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  /** A PostgreSQL of somebody else keeps its rows elsewhere. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(DatabaseConfiguration.NoneNamed.class)
  static class OfTheEmbedded {

    @Bean("disk")
    HealthIndicator diskHealth(DataFolder folder, Thresholds thresholds) {
      return new BoundedCheck(
          "disk",
          () -> {
            long free = free(folder);
            long least = thresholds.minFreeDisk().toBytes();
            if (free < least) {
              throw new BoundedCheck.Unfit(
                  "%d bytes are free under %s, fewer than %d: make room, or lower mesh.health.min-free-disk"
                      .formatted(free, folder, least));
            }
            return Map.of("free_bytes", free, "least_bytes", least);
          });
    }
  }
}
