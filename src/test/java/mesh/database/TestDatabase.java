package mesh.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A fresh, migrated database on a real PostgreSQL, in a few dozen milliseconds.
 *
 * <pre>{@code
 * static final TestDatabase database = TestDatabase.fresh();
 *
 * @SpringBootTest
 * @ContextConfiguration(initializers = TestDatabase.ForContext.class)
 * class SomeContextTest {}
 * }</pre>
 *
 * One server per JVM, which goes with it: a container where a Docker engine answers, else the
 * embedded one without fsync.
 */
public final class TestDatabase implements AutoCloseable {

  private static final AtomicInteger count = new AtomicInteger();

  private final String name;
  private final HikariDataSource pool;
  private final JdbcClient jdbc;

  private TestDatabase(String name) {
    this.name = name;
    HikariConfig config = new HikariConfig();
    config.setDataSource(Server.only().database(name));
    config.setPoolName(name);
    config.setMinimumIdle(0);
    config.setMaximumPoolSize(20);
    this.pool = new HikariDataSource(config);
    this.jdbc = JdbcClient.create(pool);
  }

  /** Migrated, with no rows but the migrations' own. */
  public static TestDatabase fresh() {
    String name = "test_" + count.incrementAndGet();
    Server.only().execute("create database %s template %s".formatted(name, Server.TEMPLATE));
    return new TestDatabase(name);
  }

  /** Looks at every database that was made and not dropped, each over one connection. */
  public static void eachOfAll(Consumer<JdbcClient> look) {
    for (String name : Server.only().databases()) {
      SingleConnectionDataSource connection =
          new SingleConnectionDataSource(Server.only().url(name), true);
      try {
        look.accept(JdbcClient.create(connection));
      } finally {
        connection.destroy();
      }
    }
  }

  public DataSource dataSource() {
    return pool;
  }

  public JdbcClient jdbc() {
    return jdbc;
  }

  public TransactionTemplate transactions() {
    return new TransactionTemplate(new DataSourceTransactionManager(pool));
  }

  /** With user and password in it. */
  public String url() {
    return Server.only().url(name);
  }

  /** Changes a setting for connections that are opened after this. */
  void alter(String change) {
    Server.only().execute("alter database %s %s".formatted(name, change));
  }

  /** Drops the database; optional. */
  @Override
  public void close() {
    pool.close();
    Server.only().execute("drop database %s with (force)".formatted(name));
  }

  /** Gives a Spring context a fresh database and a data folder of its own. */
  public static final class ForContext
      implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
      TestDatabase database = fresh();
      TestPropertyValues.of(
              "spring.datasource.url=" + database.url(),
              "mesh.data-dir=" + Server.temporaryFolder("mesh-context"))
          .applyTo(context);
    }
  }

  private record Server(String host, int port, String user, String password) {

    static final String TEMPLATE = "mesh_template";
    private static final Server ONLY = start();

    static Server only() {
      return ONLY;
    }

    private static Server start() {
      Server server = dockerAnswers() ? startContainer() : startEmbedded();
      server.execute("create database " + TEMPLATE);
      Flyway.configure()
          .dataSource(server.database(TEMPLATE))
          .locations("classpath:db/migration")
          .load()
          .migrate();
      return server;
    }

    private static boolean dockerAnswers() {
      boolean worthAsking =
          System.getenv("DOCKER_HOST") != null || Files.exists(Path.of("/var/run/docker.sock"));
      return worthAsking && DockerClientFactory.instance().isDockerAvailable();
    }

    private static Server startContainer() {
      PostgreSQLContainer container =
          new PostgreSQLContainer("postgres:18")
              .withCommand("postgres", "-c", "fsync=off", "-c", "max_connections=300");
      container.start();
      return new Server(
          container.getHost(),
          container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
          container.getUsername(),
          container.getPassword());
    }

    private static Server startEmbedded() {
      try {
        Path folder = Files.createTempDirectory("mesh-test-pg");
        EmbeddedPostgres server =
            EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setCleanDataDirectory(true)
                .setRegisterShutdownHook(false)
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C")
                .setServerConfig("unix_socket_directories", "")
                .start();
        // In this order: a server that still runs would write the folder anew.
        atEnd(() -> {
          server.close();
          FileSystemUtils.deleteRecursively(folder);
        });
        return new Server("127.0.0.1", server.getPort(), "postgres", "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    List<String> databases() {
      return JdbcClient.create(database("postgres"))
          .sql("select datname from pg_database where datname like 'test\\_%'")
          .query((row, _) -> row.getString(1))
          .list();
    }

    static Path temporaryFolder(String prefix) {
      try {
        Path folder = Files.createTempDirectory(prefix);
        atEnd(() -> FileSystemUtils.deleteRecursively(folder));
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void atEnd(Cleaning cleaning) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> {
                try {
                  cleaning.run();
                } catch (IOException e) {
                  System.err.println("left behind: " + e.getMessage());
                }
              }));
    }

    private interface Cleaning {
      void run() throws IOException;
    }

    PGSimpleDataSource database(String name) {
      PGSimpleDataSource source = new PGSimpleDataSource();
      source.setUrl(url(name));
      return source;
    }

    String url(String name) {
      return "jdbc:postgresql://%s:%d/%s?user=%s&password=%s"
          .formatted(host, port, name, user, password);
    }

    void execute(String statement) {
      JdbcClient.create(database("postgres")).sql(statement).update();
    }
  }
}
