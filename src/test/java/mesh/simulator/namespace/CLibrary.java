package mesh.simulator.namespace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** What Java cannot do without starting a program for it. */
final class CLibrary {

  private static final MethodHandle PIPE = function("pipe", ADDRESS);
  private static final MethodHandle CLOSE = function("close", JAVA_INT);
  private static final MethodHandle KILL = function("kill", JAVA_INT, JAVA_INT);

  private CLibrary() {}

  record Ends(int reading, int writing) {}

  static Ends pipe() throws IOException {
    try (var arena = Arena.ofConfined()) {
      var ends = arena.allocate(JAVA_INT, 2);
      if ((int) PIPE.invokeExact(ends) != 0) {
        throw new IOException("no pipe could be made: too many files are open");
      }
      return new Ends(ends.getAtIndex(JAVA_INT, 0), ends.getAtIndex(JAVA_INT, 1));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  static void close(int file) {
    try {
      // Whatever it answers, the file is closed.
      var _ = (int) CLOSE.invokeExact(file);
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  /**
   * Whether there was somebody to signal.
   *
   * @param process a process group if it is negative
   */
  static boolean kill(long process, int signal) {
    try {
      return (int) KILL.invokeExact((int) process, signal) == 0;
    } catch (Throwable e) {
      throw failed(e);
    }
  }

  // Restricted, since a wrong signature crashes the JVM. These are POSIX's.
  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, MemoryLayout... arguments) {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
  }

  private static IllegalStateException failed(Throwable cause) {
    return new IllegalStateException("a call into the C library failed", cause);
  }
}
