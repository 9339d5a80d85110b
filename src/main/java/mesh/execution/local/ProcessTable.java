package mesh.execution.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The processes of this machine as {@code /proc} has them, less Mesh itself. */
record ProcessTable(List<Running> processes) {

  private static final Path PROC = Path.of("/proc");
  private static final long SELF = ProcessHandle.current().pid();

  /** Whether there is one; only Linux has. */
  static final boolean EXISTS = Files.exists(PROC.resolve("self/environ"));

  /**
   * @param handle made before the rest was read, so that it is of the same process or of none
   * @param parent its parent's id
   * @param started in the kernel's ticks since boot
   * @param environment what it was started with: {@code NAME=value}, each between two NULs; empty
   *     if it is another user's
   */
  record Running(ProcessHandle handle, long parent, long started, String environment) {

    long pid() {
      return handle.pid();
    }

    boolean carries(String variable, String value) {
      return environment.contains("\0" + variable + "=" + value + "\0");
    }

    /** Not started by Mesh, or made to look so. */
    boolean isUnmarked() {
      return !environment.contains("\0" + Surroundings.SANDBOX + "=");
    }
  }

  static ProcessTable now() {
    var found = new ArrayList<Running>();
    for (var pid : ids()) {
      if (pid != SELF) {
        find(pid).ifPresent(found::add);
      }
    }
    return new ProcessTable(found);
  }

  /** Those that match and all that descend from them. */
  Set<ProcessHandle> withDescendants(Predicate<Running> matching) {
    var family = new HashSet<Long>();
    var handles = new HashSet<ProcessHandle>();
    var grown = true;
    while (grown) {
      grown = false;
      for (var it : processes) {
        if (!family.contains(it.pid()) && (family.contains(it.parent()) || matching.test(it))) {
          family.add(it.pid());
          handles.add(it.handle());
          grown = true;
        }
      }
    }
    return handles;
  }

  /**
   * Orphans without a mark whose working directory is in {@code folder}. A person's shell that
   * looks around there is no orphan.
   *
   * @param since ticks; what started earlier is left out
   */
  Set<ProcessHandle> strays(Path folder, long since) {
    Map<Long, Running> byId =
        processes.stream().collect(Collectors.toMap(Running::pid, Function.identity()));
    return withDescendants(it ->
        it.started() >= since
            && it.isUnmarked()
            && isOrphan(it, byId)
            && directory(it.pid()).filter(at -> at.startsWith(folder)).isPresent());
  }

  private static boolean isOrphan(Running process, Map<Long, Running> byId) {
    var parent = byId.get(process.parent());
    if (parent == null) {
      // Where Mesh itself is the first process, its own children look like orphans: those on their
      // way to become a command's leader are none.
      return process.parent() <= 1 && !isNamed(process, "jspawnhelper");
    }
    // A user's own systemd adopts, too.
    return parent.pid() == 1 || isNamed(parent, "systemd");
  }

  private static boolean isNamed(Running process, String name) {
    return read(process.pid(), "comm").equals(name + "\n");
  }

  /** When a live process started, in ticks. */
  static OptionalLong started(long pid) {
    return find(pid).map(it -> OptionalLong.of(it.started())).orElseGet(OptionalLong::empty);
  }

  /** How many processes with ids given out after {@code pid} carry a mark. */
  static int countSince(long pid, String variable, String value) {
    var last = lastId();
    if (last == pid) {
      return 0;
    }
    var count = 0;
    for (var id : ids()) {
      var later = last > pid ? id > pid && id <= last : id > pid || id <= last;
      if (later && environment(id).contains("\0" + variable + "=" + value + "\0")) {
        count++;
      }
    }
    return count;
  }

  /** The id given out last; 0 if the kernel does not tell. */
  private static long lastId() {
    try {
      var load = Files.readString(PROC.resolve("loadavg")).strip();
      return Long.parseLong(load.substring(load.lastIndexOf(' ') + 1));
    } catch (IOException | NumberFormatException _) {
      return 0;
    }
  }

  private static List<Long> ids() {
    var names = new File(PROC.toString()).list();
    var found = new ArrayList<Long>();
    for (var name : names == null ? new String[0] : names) {
      if (Character.isDigit(name.charAt(0))) {
        found.add(Long.valueOf(name));
      }
    }
    return found;
  }

  private static Optional<Running> find(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(handle -> {
          var stat = read(pid, "stat");
          // The name before the parenthesis may hold anything; the id of the parent is the
          // second field after it, the time the twentieth.
          var fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
          return fields.length < 21
              ? Optional.empty()
              : Optional.of(
                  new Running(
                      handle,
                      Long.parseLong(fields[2]),
                      Long.parseLong(fields[20]),
                      environment(pid)));
        });
  }

  private static String environment(long pid) {
    return "\0" + read(pid, "environ");
  }

  private static Optional<Path> directory(long pid) {
    try {
      return Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/cwd")));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static String read(long pid, String file) {
    try {
      return new String(Files.readAllBytes(PROC.resolve(pid + "/" + file)), ISO_8859_1);
    } catch (IOException _) {
      // Gone, or another user's.
      return "";
    }
  }
}
