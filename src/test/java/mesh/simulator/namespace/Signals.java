package mesh.simulator.namespace;

import java.util.List;

/** The signals' names; their numbers are the same on every processor that matters here. */
final class Signals {

  private static final List<String> NAMES =
      List.of(
          "0", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
          "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU",
          "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private Signals() {}

  /** 0, which has no effect, for a name that is none. */
  static int number(String name) {
    return Math.max(0, NAMES.indexOf(name));
  }
}
