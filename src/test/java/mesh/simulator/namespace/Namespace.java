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

/**
 * A user, mount and process namespace that lives until it is closed. When it is closed every
 * process in it has ended, also those that left their session; the same happens when this JVM ends,
 * however it ends. Only the namespace's own processes are seen in it.
 *
 * <p>There are two kinds. One has the machine's files to read, a home directory, and private
 * temporary directories; commands run as an ordinary user. The other has a root directory of its
 * own, all of which can be written but the machine's programs; commands run as root. Either way
 * they have no capabilities over the namespace.
 */
public final class Namespace implements AutoCloseable {

  /**
   * Runs as the namespace's root. The folder is seen through /mnt while mounts may hide it, and the
   * last process must reap what others leave behind, hence the ignored signal.
   */
  private static final String SET_UP =
      """
      set -e
      read -r pid rest < /proc/self/stat
      mount --bind "$1" /mnt
      mount -t tmpfs tmpfs /home
      mkdir /home/"$2"
      mount --bind /mnt/home /home/"$2"
      mount --bind /mnt/passwd /etc/passwd
      mount --bind /mnt/group /etc/group
      mount -t tmpfs tmpfs /var/tmp
      if [ -d /dev/shm ]; then mount -t tmpfs tmpfs /dev/shm; fi
      if [ -d "$3" ]; then mount -t tmpfs -o mode=0755 tmpfs "$3"; fi
      mount --bind /mnt/tmp /tmp
      umount /mnt
      mount -o remount,bind,ro /
      mount -t proc proc /proc
      cd /
      echo "$pid"
      exec "$4" --ignore-signal=CHLD cat > /dev/null 2>&1
      """;

  private static final String ORDINARY = "1000";
  private static final String ROOT = "0";

  private final Path folder;
  private final String id;
  private final Process holder;
  private final long first;

  private Namespace(Path folder, String id, Process holder, long first) {
    this.folder = folder;
    this.id = id;
    this.holder = holder;
    this.first = first;
  }

  /**
   * Opens a namespace whose home and temporary directories are kept in {@code folder}.
   *
   * @param folder created if missing, with {@code home} and {@code tmp} in it
   * @param hidden a directory whose content no command may see, for example the one all folders are
   *     in
   * @param user the name of the user commands run as; the home directory is {@code /home/{user}}
   * @throws IllegalStateException if this machine does not let the user make namespaces
   */
  public static Namespace open(Path folder, Path hidden, String user) throws IOException {
    Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(folder.resolve("tmp"));
    var login = user + ":x:" + ORDINARY + ":" + ORDINARY + "::/home/" + user + ":/bin/bash\n";
    Files.writeString(folder.resolve("passwd"), login + readable("/etc/passwd"));
    var group = user + ":x:" + ORDINARY + ":\n";
    Files.writeString(folder.resolve("group"), group + readable("/etc/group"));
    return hold(folder, ORDINARY, SET_UP, folder.toString(), user, hidden.toString(), Programs.ENV);
  }

  /**
   * Opens a namespace whose root directory is kept in {@code folder}.
   *
   * @param folder created if missing; {@code root} in it is the root directory, and may hold files
   *     already
   * @throws IllegalStateException if this machine does not let the user make namespaces
   */
  public static Namespace openWithOwnRoot(Path folder) throws IOException {
    new OwnRoot(folder).prepare();
    return hold(folder, ROOT, OwnRoot.SET_UP, folder.toString(), Programs.PIVOT_ROOT, Programs.ENV);
  }

  private static Namespace hold(Path folder, String id, String script, String... arguments)
      throws IOException {
    var command = new ArrayList<>(List.of(Programs.UNSHARE, "--user", "--map-root-user"));
    command.addAll(List.of("--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script));
    command.add("sh");
    command.addAll(List.of(arguments));
    var holder = new ProcessBuilder(command).start();
    var output = new BufferedReader(new InputStreamReader(holder.getInputStream(), UTF_8));
    var line = output.readLine();
    if (line == null) {
      var reason = new String(holder.getErrorStream().readAllBytes(), UTF_8).strip();
      throw new IllegalStateException("no sandbox can be isolated on this machine: " + reason);
    }
    return new Namespace(folder, id, holder, Long.parseLong(line));
  }

  /** Whether this machine lets the user make namespaces; many containers do not. */
  public static boolean isPossible() {
    try {
      asRoot(List.of(Programs.UNSHARE, "--mount", "--pid", "--fork", "true"));
      return true;
    } catch (IOException | IllegalStateException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Runs a program outside any namespace but with the rights its root has over their files. */
  public static void asRoot(List<String> argv) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(Programs.UNSHARE, "--user", "--map-root-user", "--"));
    command.addAll(argv);
    run(command, argv.getFirst());
  }

  /** Runs a program that sees the namespace's files and mounts, with all rights over them. */
  public void asItsRoot(List<String> argv) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(Programs.NSENTER, "--target", Long.toString(first)));
    // With its processes, too: without, its /proc does not know the program, which may look there.
    command.addAll(List.of("--user", "--mount", "--pid", "--preserve-credentials", "--"));
    command.addAll(argv);
    run(command, argv.getFirst());
  }

  private static void run(List<String> command, String name)
      throws IOException, InterruptedException {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(name + " failed: " + output.strip());
    }
  }

  /**
   * The namespace's root directory with what is mounted in it, for as long as it is open. Absolute
   * symbolic links in it lead to the machine's own files.
   */
  public Path root() {
    return Path.of("/proc", Long.toString(first), "root");
  }

  /**
   * Prepares a command in this namespace, in a session and process group of its own.
   *
   * <p>It ends with the command's exit code, or 128 and the signal's number. 127 stands for a
   * program that is not there, 126 for one that cannot be run, 1 for a directory that is not there;
   * a line on standard error says which.
   *
   * @param environment all the command gets
   */
  public ProcessBuilder command(
      String directory, Map<String, String> environment, List<String> argv) throws IOException {
    var command = new ArrayList<String>();
    // A command must not inherit which signals this JVM was started to ignore.
    command.addAll(List.of(Programs.ENV, "--default-signal", Programs.NSENTER));
    command.addAll(List.of("--target", Long.toString(first), "--user", "--mount", "--pid"));
    command.add("--preserve-credentials");
    command.addAll(List.of(Programs.UNSHARE, "--user", "--map-user=" + id, "--map-group=" + id));
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

  private static String readable(String file) {
    try {
      return Files.isReadable(Path.of(file)) ? Files.readString(Path.of(file)) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
