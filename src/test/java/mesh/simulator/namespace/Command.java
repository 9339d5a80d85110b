package mesh.simulator.namespace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A running command whose output streams end only when every process that holds them has closed
 * them, also after the command's own end.
 *
 * <p>The JDK's own pipes cannot do that: it empties and closes them when the process it started
 * ends. So the output goes through pipes of ours.
 */
public final class Command {

  private final Process process;
  private final InputStream stdout;
  private final InputStream stderr;
  private final long leader;
  private final int pid;

  private Command(Process process, InputStream stdout, InputStream stderr) {
    this.process = process;
    this.stdout = stdout;
    this.stderr = stderr;
    this.leader = leaderOf(process);
    this.pid = pidInside(leader);
  }

  /** Starts what {@link Namespace#command} prepared. */
  public static Command start(ProcessBuilder prepared) throws IOException {
    try (var out = Pipe.open();
        var err = Pipe.open()) {
      var process = prepared.redirectOutput(out.target()).redirectError(err.target()).start();
      return new Command(process, out.keep(), err.keep());
    }
  }

  /** Starts what was prepared without input, and adds all it says to a file. */
  public static Command start(ProcessBuilder prepared, Path output) throws IOException {
    prepared.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
    prepared.redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
    var process = prepared.redirectErrorStream(true).start();
    return new Command(process, InputStream.nullInputStream(), InputStream.nullInputStream());
  }

  public InputStream stdout() {
    return stdout;
  }

  public InputStream stderr() {
    return stderr;
  }

  public OutputStream stdin() {
    return process.getOutputStream();
  }

  /** The command's process id as the command itself sees it; 0 if it ended too soon to tell. */
  public int pid() {
    return pid;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the command itself, not for children it left behind. */
  public int exitCode() throws InterruptedException {
    return process.waitFor();
  }

  /** Whether the command ended in time. */
  public boolean ended(long time, TimeUnit unit) throws InterruptedException {
    return process.waitFor(time, unit);
  }

  /** Signals the command's process group, for example {@code TERM}. */
  public void signal(String name) {
    signal(Signals.number(name));
  }

  /** Signals the command's process group; 9 ends it. */
  public void signal(int number) {
    if (leader > 0 && !CLibrary.kill(-leader, number) && process.isAlive()) {
      // Until it has its own group, moments after the start, only the process itself is there.
      CLibrary.kill(leader, number);
    }
  }

  /** The process that nsenter forked: the command, as this machine numbers it. */
  private static long leaderOf(Process nsenter) {
    var children = Path.of("/proc/" + nsenter.pid() + "/task/" + nsenter.pid() + "/children");
    while (nsenter.isAlive()) {
      var child = Files.exists(children) ? text(children) : child(nsenter);
      if (!child.isEmpty()) {
        return Long.parseLong(child);
      }
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
    }
    return 0;
  }

  private static String child(Process nsenter) {
    return nsenter.children().map(it -> "" + it.pid()).findFirst().orElse("");
  }

  private static int pidInside(long leader) {
    return text(Path.of("/proc/" + leader + "/status"))
        .lines()
        .filter(line -> line.startsWith("NSpid:"))
        .map(line -> Integer.parseInt(line.substring(line.lastIndexOf('\t') + 1).strip()))
        .findFirst()
        .orElse(0);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      // The process has just ended.
      return "";
    }
  }
}
