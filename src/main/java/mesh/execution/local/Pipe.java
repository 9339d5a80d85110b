package mesh.execution.local;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A pipe whose reading end is ours to keep.
 *
 * <p>A process's own streams would not do: when its leader exits, Java reads whatever a surviving
 * child still prints into memory, without limit, and then breaks the pipe under that child.
 */
final class Pipe implements AutoCloseable {

  private static final MethodHandle PIPE = function("pipe", ADDRESS);
  private static final MethodHandle CLOSE = function("close", JAVA_INT);

  private static final String OPEN_FILES =
      Files.isDirectory(Path.of("/proc/self/fd")) ? "/proc/self/fd/" : "/dev/fd/";

  private final InputStream reading;
  private final int writing;
  private boolean kept;

  private Pipe(InputStream reading, int writing) {
    this.reading = reading;
    this.writing = writing;
  }

  static Pipe open() throws IOException {
    int from;
    int to;
    try (var arena = Arena.ofConfined()) {
      var ends = arena.allocate(JAVA_INT, 2);
      if (call(PIPE, ends) != 0) {
        throw new IOException("no pipe could be made: too many files are open");
      }
      from = ends.getAtIndex(JAVA_INT, 0);
      to = ends.getAtIndex(JAVA_INT, 1);
    }
    try {
      return new Pipe(new FileInputStream(OPEN_FILES + from), to);
    } catch (IOException e) {
      call(CLOSE, to);
      throw e;
    } finally {
      // The stream has an end of its own.
      call(CLOSE, from);
    }
  }

  /** A name for the writing end, good while this is open. */
  File target() {
    return new File(OPEN_FILES + writing);
  }

  /** The reading end, which is the caller's to close from here on. */
  InputStream keep() {
    kept = true;
    return reading;
  }

  /** Closes our copy of the writing end, so that the reading end can end. */
  @Override
  public void close() throws IOException {
    call(CLOSE, writing);
    if (!kept) {
      reading.close();
    }
  }

  // Restricted, since a wrong signature crashes the JVM. These two are POSIX's.
  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, MemoryLayout argument) {
    var linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(JAVA_INT, argument));
  }

  private static int call(MethodHandle function, Object argument) {
    try {
      return argument instanceof MemorySegment segment
          ? (int) function.invokeExact(segment)
          : (int) function.invokeExact((int) argument);
    } catch (Throwable e) {
      throw new IllegalStateException("a call into the C library failed", e);
    }
  }
}
