package mesh.simulator.modal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import mesh.simulator.namespace.Command;

/** A command, its input, and all of its output. */
final class Execution implements AutoCloseable {

  private final Spool stdout;
  private final Spool stderr;
  private final StandardInput stdin;
  private final CompletableFuture<Exit> exit = new CompletableFuture<>();
  private Optional<Command> command = Optional.empty();

  Execution(Spool stdout, Spool stderr, OutputStream stdin) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.stdin = new StandardInput(stdin);
  }

  /**
   * Follows a command until it ends, and its output until nobody holds it.
   *
   * @param ended runs after the command's end and before anybody is told of it
   */
  static Execution of(Command command, Spool stdout, Spool stderr, Runnable ended) {
    var execution = new Execution(stdout, stderr, command.stdin());
    execution.command = Optional.of(command);
    pump(command.stdout(), stdout);
    pump(command.stderr(), stderr);
    Thread.ofVirtual()
        .start(() -> {
          try {
            var status = Exit.ofStatus(command.exitCode());
            ended.run();
            execution.end(status);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return execution;
  }

  private static void pump(InputStream from, Spool to) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (from) {
            var buffer = new byte[64 * 1024];
            for (var count = from.read(buffer); count >= 0; count = from.read(buffer)) {
              to.write(buffer, count);
            }
          } catch (IOException e) {
            System.err.println("A command's output could not be kept: " + e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            to.end();
          }
        });
  }

  Spool stdout() {
    return stdout;
  }

  Spool stderr() {
    return stderr;
  }

  StandardInput stdin() {
    return stdin;
  }

  CompletableFuture<Exit> exit() {
    return exit;
  }

  boolean isRunning() {
    return !exit.isDone();
  }

  void end(Exit status) {
    exit.complete(status);
  }

  void kill() {
    command.ifPresentOrElse(it -> it.signal(9), () -> end(Exit.KILLED));
  }

  /** Its container is gone; what was a process notices by itself. */
  void lose() {
    if (command.isEmpty()) {
      end(Exit.KILLED);
    }
  }

  /** Forgets the output. */
  @Override
  public void close() throws IOException {
    stdout.close();
    stderr.close();
  }
}
