package mesh.execution.local;

import java.util.OptionalLong;

/**
 * How much memory a process holds that nobody else could have: what it allocated, here or in swap,
 * and what it shares with others on purpose. Files that are mapped are not counted, since the
 * kernel drops them when it needs the room.
 */
final class Footprint {

  private static final long UNIT = 1024;

  private Footprint() {}

  /**
   * In bytes, and quickly told. What is shared with a parent until one of both changes it is
   * counted for both, so the sum over a tree is the most that it can be. 0 of a process that is
   * gone.
   */
  static long atMost(long pid) {
    return atMost(ProcessTable.read(pid, "status"));
  }

  static long atMost(String status) {
    return sum(status, "RssAnon:", "RssShmem:", "VmSwap:").orElse(0);
  }

  /**
   * In bytes; what is shared is divided among those that share it, so the sum over a tree is what
   * it holds. The kernel walks the whole of the process's memory for it, which takes it
   * milliseconds for each GiB.
   */
  static long share(long pid) {
    return share(ProcessTable.read(pid, "smaps_rollup")).orElseGet(() -> atMost(pid));
  }

  /** Empty if the kernel does not tell: it is old, or the process has more rights than Mesh. */
  static OptionalLong share(String rollup) {
    return sum(rollup, "Pss_Anon:", "Pss_Shmem:", "SwapPss:");
  }

  /** Empty if none of the lines is there. */
  private static OptionalLong sum(String text, String... names) {
    var found = false;
    var sum = 0L;
    for (var name : names) {
      var at = text.startsWith(name) ? 0 : text.indexOf("\n" + name) + 1;
      if (text.startsWith(name, at)) {
        found = true;
        sum += number(text, at + name.length()) * UNIT;
      }
    }
    return found ? OptionalLong.of(sum) : OptionalLong.empty();
  }

  private static long number(String text, int from) {
    var at = from;
    while (at < text.length() && !Character.isDigit(text.charAt(at))) {
      at++;
    }
    var number = 0L;
    for (; at < text.length() && Character.isDigit(text.charAt(at)); at++) {
      number = 10 * number + Character.digit(text.charAt(at), 10);
    }
    return number;
  }
}
