package mesh.database;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Which PostgreSQL: the one named by {@code spring.datasource.url}, else Mesh's own. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseConfiguration.MeshFiles.class)
class DatabaseConfiguration {

  /**
   * @param dataDir where Mesh keeps its files
   */
  @ConfigurationProperties("mesh")
  record MeshFiles(Path dataDir) {}

  @Bean
  DataFolder dataFolder(MeshFiles files) {
    return new DataFolder(files.dataDir());
  }

  @Bean
  Installation installation(InstallationRepository rows, SecureRandom random) {
    return rows.only(random);
  }

  /** Migrations may take longer than any request, so they do not share the pool's deadlines. */
  @Bean(defaultCandidate = false)
  @FlywayDataSource
  DataSource migrations(JdbcConnectionDetails details) {
    DriverManagerDataSource source = new DriverManagerDataSource(details.getJdbcUrl());
    Properties properties = new Properties();
    properties.setProperty("options", "-c lock_timeout=5s");
    properties.setProperty("ApplicationName", "mesh migrations");
    // Both may be in the address instead.
    if (details.getUsername() != null) {
      properties.setProperty("user", details.getUsername());
    }
    if (details.getPassword() != null) {
      properties.setProperty("password", details.getPassword());
    }
    source.setConnectionProperties(properties);
    return source;
  }

  static class NoneNamed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      return context.getEnvironment().getProperty("spring.datasource.url", "").isBlank();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Conditional(NoneNamed.class)
  static class Embedded {

    @Bean
    EmbeddedServer embeddedServer(DataFolder folder, SecureRandom random) {
      return EmbeddedServer.start(folder, random);
    }

    /** The pool depends on this, so the server stops after it. */
    @Bean
    JdbcConnectionDetails embeddedConnection(EmbeddedServer server) {
      return new JdbcConnectionDetails() {
        @Override
        public String getJdbcUrl() {
          return server.url();
        }

        @Override
        public @Nullable String getUsername() {
          return server.username();
        }

        @Override
        public @Nullable String getPassword() {
          return server.password();
        }
      };
    }
  }
}
