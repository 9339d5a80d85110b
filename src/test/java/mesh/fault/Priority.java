package mesh.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who goes first on a machine that simulates the vendor too. Linux gives every session of processes
 * the same share of the processors (see {@code sched(7)}, autogroups), and each command in a
 * sandbox is one: a few dozen of them, which in truth would run elsewhere, would leave next to
 * nothing to Mesh and its database.
 */
final class Priority {

  private static final String HIGH = "-15";

  private Priority() {}

  /** Puts this process, the servers it started and their database first, where that is allowed. */
  static void beforeSandboxes(JdbcClient jdbc) {
    int backend = jdbc.sql("select pg_backend_pid()").query(Integer.class).single();
    raise(ProcessHandle.current());
    ProcessHandle.of(backend).flatMap(ProcessHandle::parent).ifPresent(Priority::raise);
    ProcessHandle.of(backend).ifPresent(Priority::raise);
  }

  private static void raise(ProcessHandle process) {
    try {
      Files.writeString(Path.of("/proc/" + process.pid() + "/autogroup"), HIGH);
    } catch (IOException e) {
      System.out.println("the sandboxes have as much of the processors as Mesh: " + e);
    }
  }
}
