package mesh.execution.kubernetes;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The line that each program of ours begins with, before it reads anything.
 *
 * <p>The cluster opens a socket also to programs that it then fails to start, and to whatever pod
 * has the name. Only this line tells that it runs, and in the pod that was meant: until it was
 * read, nothing has happened and another attempt is safe.
 */
final class Greeting {

  /** There is another pod of that name. */
  static final class StrangerException extends IOException {
    private static final long serialVersionUID = 1L;

    StrangerException() {
      super("another pod answered");
    }
  }

  /** The cluster says that the program was not started. */
  static final class NotStartedException extends IOException {
    private static final long serialVersionUID = 1L;

    NotStartedException(String words) {
      super(words);
    }
  }

  /**
   * Tells how often the kernel killed for want of memory so far, where it says. Then becomes the
   * program it was given.
   */
  private static final String SCRIPT =
      """
      [ "$%s" = "$1" ] || { echo other; exit 1; }
      kills=-
      for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
        [ -r "$file" ] && while read -r key value _; do
          [ "$key" != oom_kill ] || kills=$value
        done <"$file"
      done
      echo "mesh $kills"
      shift
      exec "$@"
      """
          .formatted(Manifest.IDENTITY);

  private static final int LONGEST = 64;

  private final CompletableFuture<Long> arrived = new CompletableFuture<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /** A program that greets and then is {@code argv}. */
  static List<String> before(List<String> argv, Identity identity) {
    var greeting = new ArrayList<>(List.of("sh", "-c", SCRIPT, "mesh", identity.uid()));
    greeting.addAll(argv);
    return greeting;
  }

  /** Completed with the number of kills, -1 if it is not known. */
  CompletableFuture<Long> arrived() {
    return arrived;
  }

  /** What of these bytes of output is not the greeting. */
  byte[] without(byte[] bytes) {
    int at = 0;
    while (!arrived.isDone() && at < bytes.length) {
      byte next = bytes[at++];
      if (next == '\n') {
        read(line.toString(US_ASCII));
      } else if (line.size() < LONGEST) {
        line.write(next);
      }
    }
    return at == 0 ? bytes : Arrays.copyOfRange(bytes, at, bytes.length);
  }

  private void read(String said) {
    if (said.matches("mesh [0-9]{1,18}")) {
      arrived.complete(Long.parseLong(said.substring(5)));
    } else if (said.equals("mesh -")) {
      arrived.complete(-1L);
    } else if (said.equals("other")) {
      arrived.completeExceptionally(new StrangerException());
    } else {
      refuse("it began with something else");
    }
  }

  void refuse(String why) {
    arrived.completeExceptionally(new IOException(why));
  }

  void neverRuns(String words) {
    arrived.completeExceptionally(new NotStartedException(words));
  }
}
