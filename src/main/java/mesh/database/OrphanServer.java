package mesh.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL that a killed Mesh left running on its data. It is asked to stop, so that a new
 * one can take the folder. Only for who holds the lock of the folder: then no living Mesh owns it.
 */
final class OrphanServer {

  private static final Logger log = LoggerFactory.getLogger(OrphanServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private OrphanServer() {}

  static void stop(Path data) throws IOException {
    Path pidFile = data.resolve("postmaster.pid");
    if (!Files.exists(pidFile)) {
      return;
    }
    Optional<Long> pid = pid(Files.readAllLines(pidFile));
    if (pid.isEmpty()) {
      // Left by a start that was cut short; PostgreSQL refuses to start beside it.
      Files.delete(pidFile);
      return;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(pid.get()).filter(ProcessHandle::isAlive);
    if (process.isEmpty()) {
      return;
    }
    if (!serves(process.get(), data)) {
      // The number has gone to somebody else's process, which PostgreSQL would take for its own.
      Files.delete(pidFile);
      return;
    }
    process.get().destroy();
    awaitEnd(process.get(), data);
    log.atInfo().addKeyValue("pid", pid.get()).log("orphaned database server stopped");
  }

  private static Optional<Long> pid(List<String> lines) {
    try {
      return lines.isEmpty()
          ? Optional.empty()
          : Optional.of(Long.parseLong(lines.getFirst().strip())).filter(it -> it > 0);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static boolean serves(ProcessHandle process, Path data) {
    String[] arguments = process.info().arguments().orElse(new String[0]);
    return process.info().command().orElse("").contains("postgres")
        && List.of(arguments).contains(data.toString());
  }

  private static void awaitEnd(ProcessHandle process, Path data) throws IOException {
    try {
      process.onExit().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the old database server stopped", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "process %d, a PostgreSQL left over on %s, does not stop: end it and start Mesh again"
              .formatted(process.pid(), data),
          e);
    }
  }
}
