package mesh.simulator.namespace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user, mount and process namespace with volumes wherever they are wanted, for a user of any id,
 * and with or without the machine's network. It lives until it is closed, as a {@link Namespace}
 * does, and not longer than this JVM.
 *
 * <p>Inside, the volumes, {@code /tmp}, {@code /var/tmp}, {@code /dev/shm} and the user's home
 * directory are writable and the machine's other files are there to read.
 */
public final class Container implements AutoCloseable {

  /** Runs as the namespace's root; the last process reaps what others leave behind. */
  private static final String SET_UP =
      """
      set -e
      read -r pid rest < /proc/self/stat
      mount --bind "$1/root" /mnt
      mount -a -T "$1/fstab"
      mount -t proc proc /mnt/proc
      mount -o remount,bind,ro /mnt
      cd /mnt
      "$2" . .
      umount -l .
      cd /
      echo "$pid"
      exec "$3" --ignore-signal=CHLD cat > /dev/null 2>&1
      """;

  private static final String GO_OFFLINE = "ip link set lo up; echo; exec cat > /dev/null";

  private final Path folder;
  private final Login login;
  private final Process holder;
  private final long first;
  private Optional<Process> offline = Optional.empty();

  private Container(Path folder, Login login, Process holder, long first) {
    this.folder = folder;
    this.login = login;
    this.holder = holder;
    this.first = first;
  }

  /**
   * Opens a container that keeps its files in {@code folder}.
   *
   * @param hidden a directory whose content no command may see, except through a volume
   * @param readOnly whether only volumes are writable
   * @throws IllegalStateException if this machine does not let the user make namespaces
   */
  public static Container open(
      Path folder, Path hidden, Login login, List<Volume> volumes, boolean readOnly)
      throws IOException {
    var own = new ArrayList<Volume>();
    own.add(new Volume(Files.createDirectories(folder.resolve("tmp")), "/tmp", readOnly));
    own.add(new Volume(Files.createDirectories(folder.resolve("home")), login.home(), readOnly));
    own.addAll(volumes);
    Files.writeString(folder.resolve("passwd"), login.passwd() + readable("/etc/passwd"));
    Files.writeString(folder.resolve("group"), login.groups() + readable("/etc/group"));
    Root.make(folder, hidden, own);
    var holder =
        new ProcessBuilder(Programs.UNSHARE, "--user", "--map-root-user", "--mount", "--pid");
    holder.command().addAll(List.of("--fork", "--kill-child", "/bin/sh", "-c", SET_UP, "sh"));
    holder.command().addAll(List.of(folder.toString(), Programs.PIVOT_ROOT, Programs.ENV));
    var process = holder.start();
    var line = firstLine(process);
    if (line.isEmpty()) {
      var reason = new String(process.getErrorStream().readAllBytes(), UTF_8).strip();
      throw new IllegalStateException("no container can be isolated on this machine: " + reason);
    }
    return new Container(folder, login, process, Long.parseLong(line.get()));
  }

  /**
   * Prepares a command, as {@link Namespace#command} does.
   *
   * @param network false for a command that reaches nothing but those of this container that reach
   *     nothing either
   */
  public ProcessBuilder command(
      String directory, Map<String, String> environment, List<String> argv, boolean network)
      throws IOException {
    var command = new ArrayList<String>();
    // A command must not inherit which signals this JVM was started to ignore.
    command.addAll(List.of(Programs.ENV, "--default-signal", Programs.NSENTER));
    command.addAll(List.of("--target", Long.toString(first), "--user", "--mount", "--pid"));
    if (!network) {
      command.add("--net=" + offline());
    }
    command.addAll(List.of("--preserve-credentials", Programs.UNSHARE, "--user"));
    command.addAll(List.of("--map-user=" + login.user(), "--map-group=" + login.group()));
    command.addAll(List.of("--wd=" + directory, Programs.SETSID, "--"));
    command.addAll(argv);
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    if (ArgumentFile.neededFor(environment, command)) {
      return builder.command(ArgumentFile.wrap(folder, environment, command));
    }
    builder.environment().putAll(environment);
    return builder;
  }

  /** The container's root directory, for as long as it is open. */
  public Path root() {
    return Path.of("/proc/" + first + "/root");
  }

  /** Ends one process. */
  public void kill(int pid) throws IOException, InterruptedException {
    var command = inside();
    command.addAll(List.of("/bin/sh", "-c", "kill -KILL " + pid));
    new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  /** A network namespace with nothing in it but a loopback device, made when first needed. */
  private synchronized String offline() throws IOException {
    if (offline.isEmpty()) {
      var command = inside();
      command.addAll(List.of(Programs.UNSHARE, "--net", "/bin/sh", "-c", GO_OFFLINE));
      var process = new ProcessBuilder(command).start();
      if (firstLine(process).isEmpty()) {
        throw new IOException("no network namespace can be made on this machine");
      }
      offline = Optional.of(process);
    }
    var inside = offline.get().children().findFirst().map(ProcessHandle::pid).orElseThrow();
    return "/proc/" + inside + "/ns/net";
  }

  /** The beginning of a command that runs as the container's root. */
  private List<String> inside() {
    return new ArrayList<>(
        List.of(
            Programs.NSENTER,
            "--target",
            Long.toString(first),
            "--user",
            "--mount",
            "--pid",
            "--preserve-credentials"));
  }

  /** Ends every process inside. */
  @Override
  public void close() {
    ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
    try {
      holder.waitFor();
    } catch (InterruptedException e) {
      holder.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<String> firstLine(Process process) throws IOException {
    var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    return Optional.ofNullable(output.readLine());
  }

  private static String readable(String file) {
    try {
      return Files.isReadable(Path.of(file)) ? Files.readString(Path.of(file)) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
