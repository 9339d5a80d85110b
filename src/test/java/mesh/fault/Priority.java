package mesh.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import mesh.ServerProcess;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who goes first on a machine that simulates the vendor and its users too. Linux gives every
 * session of processes the same share of the processors (see {@code sched(7)}, autogroups), and
 * each command in a sandbox is one: a few dozen of them, which in truth would run elsewhere, would
 * leave next to nothing to Mesh and its database. So would, in a session that they shared, the
 * vendor's side of a thousand commands and as many clients.
 */
final class Priority {

  /** Starts a server in a session of its own. */
  static final List<String> APART = List.of("setsid");

  private static final String HIGH = "-15";

  private Priority() {}

  /**
   * Puts a server and its database before everything else, where that is allowed. To be said again
   * from time to time: each connection's process at the database begins a session of its own.
   */
  static void first(ServerProcess server, JdbcClient jdbc) {
    int backend = jdbc.sql("select pg_backend_pid()").query(Integer.class).single();
    ProcessHandle.of(server.pid()).ifPresent(Priority::raise);
    var database = ProcessHandle.of(backend).flatMap(ProcessHandle::parent);
    database.ifPresent(Priority::raise);
    database.stream().flatMap(ProcessHandle::children).forEach(Priority::raise);
  }

  private static void raise(ProcessHandle process) {
    if (!process.isAlive()) {
      return;
    }
    try {
      Files.writeString(Path.of("/proc/" + process.pid() + "/autogroup"), HIGH);
    } catch (IOException e) {
      System.out.println("the sandboxes have as much of the processors as Mesh: " + e);
    }
  }
}
