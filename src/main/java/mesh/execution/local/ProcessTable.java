package mesh.execution.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The processes of this machine as {@code /proc} has them, less Mesh itself. */
record ProcessTable(List<Running> processes) {

  private static final Path PROC = Path.of("/proc");
  private static final long SELF = ProcessHandle.current().pid();

  /** Whether there is one; only Linux has. */
  static final boolean EXISTS = Files.exists(PROC.resolve("self/environ"));

  /** How often to look at a process that is becoming another program: for some 20 ms in all. */
  private static final int LOOKS = 60;

  private static final Duration PAUSE = Duration.ofNanos(200_000);

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

    /** What it was given as the value of a variable. */
    Optional<String> value(String variable) {
      var name = "\0" + variable + "=";
      var at = environment.indexOf(name);
      var from = at + name.length();
      var end = environment.indexOf('\0', from);
      return at < 0 || end < 0 ? Optional.empty() : Optional.of(environment.substring(from, end));
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

  static List<Long> ids() {
    var names = new File(PROC.toString()).list();
    var found = new ArrayList<Long>();
    for (var name : names == null ? new String[0] : names) {
      if (Character.isDigit(name.charAt(0))) {
        found.add(Long.valueOf(name));
      }
    }
    return found;
  }

  static Optional<Running> find(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(handle -> {
          var fields = fields(pid);
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

  /**
   * What {@code stat} says after the name, which may hold anything: the id of the parent is the
   * second, the time it started the twentieth; where its environment begins and ends the
   * forty-eighth and the next.
   */
  private static String[] fields(long pid) {
    var stat = read(pid, "stat");
    return stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
  }

  /**
   * Also of a process that is in the middle of an {@code execve}: until the kernel has laid out the
   * new program's stack there is neither the old environment nor the new, or a scrap of it.
   */
  private static String environment(long pid) {
    var before = Optional.<String>empty();
    var found = contents(pid, "environ");
    for (var i = 0; i < LOOKS && found.isPresent() && !isWhole(pid, found, before); i++) {
      LockSupport.parkNanos(PAUSE.toNanos());
      before = found;
      found = contents(pid, "environ");
    }
    return "\0" + found.orElse("");
  }

  private static boolean isWhole(long pid, Optional<String> found, Optional<String> before) {
    var text = found.orElse("");
    if (text.endsWith("\0")) {
      return true;
    }
    var fields = fields(pid);
    if (fields.length < 50 || fields[49].equals("0")) {
      // A kernel thread and a zombie have no program and never will have.
      return !hasProgram(pid);
    }
    // There is none, or the program wrote over it. Both are so the next time, too.
    var length = Long.parseUnsignedLong(fields[49]) - Long.parseUnsignedLong(fields[48]);
    return text.length() == length && found.equals(before);
  }

  private static boolean hasProgram(long pid) {
    try {
      var _ = Files.readSymbolicLink(PROC.resolve(pid + "/exe"));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private static Optional<Path> directory(long pid) {
    try {
      return Optional.of(Files.readSymbolicLink(PROC.resolve(pid + "/cwd")));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /** A file of a process; empty if the process is gone, or another user's. */
  static String read(long pid, String file) {
    return contents(pid, file).orElse("");
  }

  /** Empty if the process is gone, or another user's. */
  private static Optional<String> contents(long pid, String file) {
    try {
      var bytes = Files.readAllBytes(PROC.resolve(pid + "/" + file));
      return Optional.of(new String(bytes, ISO_8859_1));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
