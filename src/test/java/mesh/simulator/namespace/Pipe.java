package mesh.simulator.namespace;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A pipe whose writing end a process is given. */
final class Pipe implements AutoCloseable {

  private static final String OPEN_FILES = "/proc/self/fd/";

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
