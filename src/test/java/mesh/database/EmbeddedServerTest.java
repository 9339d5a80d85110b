package mesh.database;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

class EmbeddedServerTest {

  /** Unpacked once for all of these tests. */
  @TempDir static Path programs;

  @TempDir Path folder;

  @BeforeEach
  void shareThePrograms() throws IOException {
    Path home = Files.createDirectories(folder.resolve("data/pg"));
    Files.createSymbolicLink(home.resolve("programs"), programs);
  }

  @Test
  void rowsSurviveARestartAndAKilledMeshWhoseServerStillRuns() throws Exception {
    try (EmbeddedServer server = start()) {
      jdbc(server).sql("create table kept (line text)").update();
      jdbc(server).sql("insert into kept values ('before the restart')").update();
    }

    Process killed = probe("before the kill");
    assertThat(killed.waitFor()).isEqualTo(137);
    ProcessHandle orphan = ProcessHandle.of(serverPid()).orElseThrow();
    assertThat(orphan.isAlive()).as("the kill leaves a server behind").isTrue();

    try (EmbeddedServer server = start()) {
      assertThat(orphan.isAlive()).isFalse();
      assertThat(jdbc(server).sql("select line from kept").query(String.class).list())
          .containsExactly("before the restart", "before the kill");
    }
  }

  @Test
  void aNumberThatWentToAnotherProcessIsNoReasonToEndIt() throws Exception {
    start().close();
    Process bystander = new ProcessBuilder("sleep", "600").start();
    try {
      Files.writeString(pidFile(), bystander.pid() + "\n" + cluster() + "\n");

      start().close();

      assertThat(bystander.isAlive()).isTrue();
    } finally {
      bystander.destroy();
    }
  }

  @Test
  void anEmptyOrTornProcessFileIsNoObstacle() throws Exception {
    start().close();
    for (String torn : List.of("", "\n", "12x", "-3\n")) {
      Files.writeString(pidFile(), torn);

      start().close();
    }
  }

  @Test
  void aFirstStartThatWasCutShortIsSetAsideAndDoneAgain() throws Exception {
    Files.createDirectories(cluster());
    Files.writeString(cluster().resolve("PG_VERSION"), "18\n");

    start().close();

    assertThat(cluster().resolveSibling("18-incomplete-1").resolve("PG_VERSION")).exists();
  }

  @Test
  void commitsAreOnDiskAndMeshIsNoSuperuser() {
    try (EmbeddedServer server = start()) {
      assertThat(setting(server, "fsync")).isEqualTo("on");
      assertThat(setting(server, "synchronous_commit")).isEqualTo("on");
      assertThat(setting(server, "full_page_writes")).isEqualTo("on");
      assertThat(setting(server, "is_superuser")).isEqualTo("off");
      assertThat(setting(server, "listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(setting(server, "server_version")).startsWith("18.");
    }
  }

  @Test
  void nobodyGetsInWithoutThePassword() {
    try (EmbeddedServer server = start()) {
      for (String user : List.of("mesh", "postgres")) {
        for (String password : List.of("wrong", "")) {
          PGSimpleDataSource source = EmbeddedServerProbe.source(server);
          source.setUser(user);
          source.setPassword(password);

          assertThatThrownBy(source::getConnection)
              .as(user + " with '" + password + "'")
              .isInstanceOf(SQLException.class)
              .hasMessageContaining("password");
        }
      }
    }
  }

  @Test
  void filesAndFoldersBelongToMeshAlone() throws IOException {
    try (EmbeddedServer server = start()) {
      assertThat(mode(folder.resolve("data"))).isEqualTo("rwx------");
      assertThat(mode(folder.resolve("data/pg"))).isEqualTo("rwx------");
      assertThat(mode(folder.resolve("data/pg/programs"))).isEqualTo("rwx------");
      assertThat(mode(cluster())).isEqualTo("rwx------");
      assertThat(mode(folder.resolve("data/pg/password"))).isEqualTo("rw-------");
      assertThat(mode(folder.resolve("data/pg/lock"))).isEqualTo("rw-------");
      assertThat(mode(folder.resolve("data/pg/18.log"))).isEqualTo("rw-------");
      assertThat(Files.readString(folder.resolve("data/pg/18.log")))
          .as("the password is in no log")
          .doesNotContain(server.password());
    }
  }

  @Test
  void twoMeshesDoNotShareAFolder() {
    try (EmbeddedServer server = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another Mesh uses the database in")
          .hasMessageContaining("MESH_DATA_DIR");
      assertThat(setting(server, "fsync")).as("the first goes on").isEqualTo("on");
    }
    start().close();
  }

  @Test
  void aSecondProcessIsRefusedAndLeavesTheServerOfTheFirstAlone() throws Exception {
    try (EmbeddedServer server = start()) {
      Process second = probe("never");

      assertThat(new String(second.getErrorStream().readAllBytes(), UTF_8))
          .contains("another Mesh uses the database in");
      assertThat(second.waitFor()).isEqualTo(1);
      assertThat(setting(server, "fsync")).isEqualTo("on");
    }
  }

  @Test
  void rootWithoutUserNamespacesIsToldWhatToDo() throws Exception {
    assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0));
    Path tools = Files.createDirectory(folder.resolve("bin"));
    Path unshare = Files.writeString(tools.resolve("unshare"), "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(unshare, PosixFilePermissions.fromString("rwxr-xr-x"));

    ProcessBuilder builder = probeCommand("never");
    builder.environment().merge("PATH", tools + ":", (path, first) -> first + path);
    Process process = builder.start();

    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
        .contains("as an ordinary user")
        .contains("SPRING_DATASOURCE_URL");
    assertThat(process.waitFor()).isEqualTo(1);
  }

  private EmbeddedServer start() {
    return EmbeddedServer.start(new DataFolder(folder.resolve("data")), new SecureRandom());
  }

  private static JdbcClient jdbc(EmbeddedServer server) {
    return JdbcClient.create(EmbeddedServerProbe.source(server));
  }

  private static String setting(EmbeddedServer server, String name) {
    return jdbc(server).sql("show " + name).query(String.class).single();
  }

  private Process probe(String line) throws IOException {
    return probeCommand(line).start();
  }

  private ProcessBuilder probeCommand(String line) {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            "mesh.database.EmbeddedServerProbe",
            folder.resolve("data").toString(),
            line)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  private Path cluster() {
    return folder.resolve("data/pg/18");
  }

  private Path pidFile() {
    return cluster().resolve("postmaster.pid");
  }

  private long serverPid() throws IOException {
    return Long.parseLong(Files.readAllLines(pidFile()).getFirst().strip());
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
