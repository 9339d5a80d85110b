package mesh.execution.local;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A pipe whose reading end is ours to keep.
 *
 * <p>A process's own streams would not do: when its leader exits, Java reads whatever a surviving
 * child still prints into memory, without limit, and then breaks the pipe under that child.
 */
final class Pipe implements AutoCloseable {

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
    var ends = CLibrary.pipe();
    try {
      return new Pipe(new FileInputStream(OPEN_FILES + ends.reading()), ends.writing());
    } catch (IOException e) {
      CLibrary.close(ends.writing());
      throw e;
    } finally {
      // The stream has an end of its own.
      CLibrary.close(ends.reading());
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
    CLibrary.close(writing);
    if (!kept) {
      reading.close();
    }
  }
}
