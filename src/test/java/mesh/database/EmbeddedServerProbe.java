package mesh.database;

import java.nio.file.Path;
import java.security.SecureRandom;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A Mesh that commits a row and is killed: run as a process of its own by {@link
 * EmbeddedServerTest}.
 */
final class EmbeddedServerProbe {

  private EmbeddedServerProbe() {}

  public static void main(String[] args) {
    EmbeddedServer server =
        EmbeddedServer.start(new DataFolder(Path.of(args[0])), new SecureRandom());
    JdbcClient jdbc = JdbcClient.create(source(server));
    jdbc.sql("create table if not exists kept (line text)").update();
    jdbc.sql("insert into kept values (:line)").param("line", args[1]).update();
    System.out.println("committed");
    System.out.flush();
    Runtime.getRuntime().halt(137);
  }

  static PGSimpleDataSource source(EmbeddedServer server) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url());
    source.setUser(server.username());
    source.setPassword(server.password());
    return source;
  }
}
