package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

class DatabaseConfigurationTest {

  @TempDir Path folder;

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withInitializer(new ConfigDataApplicationContextInitializer())
          .withUserConfiguration(Slice.class);

  @Test
  void withNothingConfiguredMeshKeepsItsOwnDatabaseAcrossStarts() {
    ApplicationContextRunner plain = runner.withPropertyValues("mesh.data-dir=" + folder);
    String[] first = new String[1];

    plain.run(context -> {
      first[0] = context.getBean(Installation.class).id();
      JdbcClient jdbc = context.getBean(JdbcClient.class);
      assertThat(jdbc.sql("show statement_timeout").query(String.class).single()).isEqualTo("10s");
      assertThat(jdbc.sql("show lock_timeout").query(String.class).single()).isEqualTo("3s");
      assertThat(context.getBean(HikariDataSource.class).getMaximumPoolSize()).isEqualTo(10);
      assertThat(context.getBean(Instances.class).isRunning()).isTrue();
    });

    plain.run(context -> {
      assertThat(context.getBean(Installation.class).id()).isEqualTo(first[0]);
      assertThat(leases(context.getBean(JdbcClient.class)))
          .as("the stopped server ended its lease over a pool that was still open")
          .isEqualTo(1);
    });
  }

  @Test
  void aNamedDatabaseIsUsedInstead() {
    try (TestDatabase database = TestDatabase.fresh()) {
      runner
          .withPropertyValues("mesh.data-dir=" + folder, "spring.datasource.url=" + database.url())
          .run(context -> {
            assertThat(context).doesNotHaveBean(EmbeddedServer.class);
            assertThat(leases(database.jdbc())).isEqualTo(1);
            assertThat(folder.resolve("pg")).doesNotExist();
          });
    }
  }

  private static long leases(JdbcClient jdbc) {
    return jdbc.sql("select count(*) from instances where lease_until > clock_timestamp()")
        .query(Long.class)
        .single();
  }

  @Configuration(proxyBeanMethods = false)
  @Import({
    DatabaseConfiguration.class,
    InstallationRepository.class,
    InstanceRepository.class,
    Instances.class
  })
  @ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    FlywayAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class
  })
  static class Slice {

    @Bean
    SecureRandom random() {
      return new SecureRandom();
    }

    @Bean
    Supplier<UUID> ids() {
      return UUID::randomUUID;
    }
  }
}
