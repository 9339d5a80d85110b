package mesh.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL of Mesh's own, a child process on a free port of the loopback interface. A real one:
 * commits are on disk when they return, a password is needed from the first moment on, and a killed
 * Mesh finds its rows again.
 *
 * <p>Lives in {@code pg} of the data folder: the cluster in {@code 18}, the log of the present run
 * in {@code 18.log}, the unpacked programs in {@code programs}. One at a time per folder.
 */
final class EmbeddedServer implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedServer.class);

  /** In the path, because another major version cannot read these files. */
  private static final String MAJOR = "18";

  private static final String PROGRAMS = "programs";
  private static final String NAME = "mesh";
  private static final String PASSWORD_FILE = "password";

  /** Says that a cluster was set up to the end; without it there is nothing in it to lose. */
  private static final String COMPLETE = "mesh-complete";

  private final FileChannel lockFile;
  private final EmbeddedPostgres server;
  private final String password;

  private EmbeddedServer(FileChannel lockFile, EmbeddedPostgres server, String password) {
    this.lockFile = lockFile;
    this.server = server;
    this.password = password;
  }

  /**
   * Starts the server, the first time after setting it up (some seconds).
   *
   * @throws IllegalStateException if it cannot; the message says what to do
   */
  static EmbeddedServer start(DataFolder home, SecureRandom random) {
    DataFolder folder = home.folder("pg");
    FileChannel lockFile = lock(folder);
    try {
      Path cluster = folder.path().resolve(MAJOR);
      OrphanServer.stop(cluster);
      setAsideIfIncomplete(cluster);
      String password = password(folder, random);
      EmbeddedPostgres server = launch(folder, cluster, password);
      try {
        prepare(server);
        folder.folder(MAJOR).write(COMPLETE, "");
        // The library leaves its folder writable for everybody.
        folder.folder(PROGRAMS);
        return new EmbeddedServer(lockFile, server, password);
      } catch (SQLException | RuntimeException e) {
        server.close();
        throw e;
      }
    } catch (IOException | SQLException | RuntimeException e) {
      closeQuietly(lockFile);
      throw e instanceof IllegalStateException told
          ? told
          : new IllegalStateException(
              "the embedded PostgreSQL did not start: " + e.getMessage(), e);
    }
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(server.getPort(), NAME);
  }

  /** Owns its database and is no superuser. */
  String username() {
    return NAME;
  }

  String password() {
    return password;
  }

  /** Stops the server; what was committed stays. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      closeQuietly(lockFile);
    }
  }

  private static FileChannel lock(DataFolder folder) {
    Path file = folder.path().resolve("lock");
    try {
      FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              DataFolder.permissions("rw-------"));
      @Nullable FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new IllegalStateException(
            "another Mesh uses the database in %s: stop it, or give this one a folder of its own with MESH_DATA_DIR"
                .formatted(folder));
      }
      return channel;
    } catch (IOException e) {
      throw new UncheckedIOException("could not lock " + file, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  private static void setAsideIfIncomplete(Path cluster) throws IOException {
    if (!Files.exists(cluster) || Files.exists(cluster.resolve(COMPLETE))) {
      return;
    }
    for (int number = 1; ; number++) {
      Path aside = cluster.resolveSibling("%s-incomplete-%d".formatted(MAJOR, number));
      if (!Files.exists(aside)) {
        Files.move(cluster, aside);
        log.atWarn().addKeyValue("folder", aside).log("incomplete database set aside");
        return;
      }
    }
  }

  private static String password(DataFolder folder, SecureRandom random) {
    return folder
        .find(PASSWORD_FILE)
        .orElseGet(() -> {
          byte[] bytes = new byte[32];
          random.nextBytes(bytes);
          String made = HexFormat.of().formatHex(bytes);
          folder.write(PASSWORD_FILE, made);
          return made;
        });
  }

  private static EmbeddedPostgres launch(DataFolder folder, Path cluster, String password)
      throws IOException {
    Path output = folder.write(MAJOR + ".log", "");
    try {
      return EmbeddedPostgres.builder()
          .setOverrideWorkingDirectory(folder.folder(PROGRAMS).path().toFile())
          .setDataDirectory(folder.folder(MAJOR).path())
          .setCleanDataDirectory(false)
          // Spring stops it, after the pool; a hook of its own would stop it beneath the pool.
          .setRegisterShutdownHook(false)
          .setPGStartupWait(Duration.ofSeconds(60))
          .setOutputRedirector(Redirect.appendTo(output.toFile()))
          .setErrorRedirector(Redirect.appendTo(output.toFile()))
          // The library hands these to initdb as they are: no moment without a password.
          .setLocaleConfig("auth", "scram-sha-256")
          .setLocaleConfig("pwfile", folder.path().resolve(PASSWORD_FILE).toString())
          .setLocaleConfig("locale-provider", "builtin")
          .setLocaleConfig("builtin-locale", "C.UTF-8")
          .setLocaleConfig("locale", "C")
          // The library's own defaults are for throw-away data.
          .setServerConfig("fsync", "on")
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("max_connections", "60")
          .setServerConfig("listen_addresses", "127.0.0.1")
          .setServerConfig("unix_socket_directories", "")
          // A server that outlives a killed Mesh notices that its clients are gone.
          .setServerConfig("client_connection_check_interval", "5s")
          // Values and statements stay out of the log.
          .setServerConfig("log_error_verbosity", "terse")
          .setServerConfig("log_min_error_statement", "panic")
          .setConnectConfig("password", password)
          .start();
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(explain(output, cluster), e);
    }
  }

  private static String explain(Path output, Path cluster) throws IOException {
    String said = Files.readString(output, StandardCharsets.UTF_8).strip();
    if (said.contains("cannot be run as root")) {
      return "PostgreSQL refuses to run as root and this machine allows no user namespaces:"
          + " start Mesh as an ordinary user, or name a PostgreSQL of your own with"
          + " SPRING_DATASOURCE_URL, SPRING_DATASOURCE_USERNAME and SPRING_DATASOURCE_PASSWORD";
    }
    return "the embedded PostgreSQL on %s did not start; %s says: %s"
        .formatted(cluster, output, said.isEmpty() ? "nothing" : said);
  }

  /** Mesh's own role and database: the superuser is for this alone. */
  private static void prepare(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      if (isMissing(statement, "select 1 from pg_roles where rolname = 'mesh'")) {
        statement.execute("create role mesh login");
        // The verifier of the same password, which so is never part of a statement.
        statement.execute(
            """
            update pg_authid
               set rolpassword = (select rolpassword from pg_authid where rolname = 'postgres')
             where rolname = 'mesh'
            """);
      }
      if (isMissing(statement, "select 1 from pg_database where datname = 'mesh'")) {
        statement.execute("create database mesh owner mesh");
      }
    }
  }

  private static boolean isMissing(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return !rows.next();
    }
  }

  private static void closeQuietly(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      log.atWarn().setCause(e).log("lock file could not be closed");
    }
  }
}
