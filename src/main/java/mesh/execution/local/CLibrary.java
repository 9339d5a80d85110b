package mesh.execution.local;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;

/** The three calls of POSIX that this adapter needs and Java has no way to make. */
final class CLibrary {

  private static final MethodHandle PIPE = function("pipe", ADDRESS);
  private static final MethodHandle CLOSE = function("close", JAVA_INT);
  private static final MethodHandle KILL = function("kill", JAVA_INT, JAVA_INT);

  /** Linux's number on every processor that Java runs on there. */
  private static final int SIGSTOP = 19;

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

  /** Stops a process where it is, if it is alive and ours. */
  static void stop(ProcessHandle process) {
    try {
      // Compares the time it started, so that a process that got its id is let be.
      if (process.isAlive()) {
        var _ = (int) KILL.invokeExact((int) process.pid(), SIGSTOP);
      }
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
