package mesh.settings;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;

/** Agents and settings with all they need, over real HTTP handling and a real database. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@ComponentScan(
    basePackages = {
      "mesh.activity",
      "mesh.agent",
      "mesh.database",
      "mesh.outbound",
      "mesh.secret",
      "mesh.settings",
      "mesh.web"
    },
    // leaves out what other tests configure for themselves
    excludeFilters = @Filter(type = FilterType.CUSTOM, classes = TypeExcludeFilter.class))
public class SettingsSlice {

  static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");

  @Bean
  FakeRuntimeCatalog catalog() {
    return new FakeRuntimeCatalog();
  }

  @Bean
  FakeModelTrials trials() {
    return new FakeModelTrials();
  }

  @Bean
  Clock clock() {
    return Clock.fixed(NOW, ZoneOffset.UTC);
  }

  @Bean
  SecureRandom random() {
    return new SecureRandom();
  }

  @Bean
  Supplier<UUID> ids() {
    return UUID::randomUUID;
  }
}
