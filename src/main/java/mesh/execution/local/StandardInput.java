package mesh.execution.local;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.LoggerFactory;

/**
 * A command's standard input as a file, since a file ends by itself and never waits for a reader.
 * Deleted once the command has opened it.
 */
record StandardInput(File file) implements AutoCloseable {

  static StandardInput of(byte[] bytes, SandboxFolder folder) throws IOException {
    if (bytes.length == 0) {
      return new StandardInput(Execution.NOTHING);
    }
    Path path = folder.path().resolve("input-" + Marks.next());
    Files.createFile(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    var input = new StandardInput(path.toFile());
    try {
      Files.write(path, bytes, StandardOpenOption.WRITE);
      return input;
    } catch (IOException e) {
      input.close();
      throw e;
    }
  }

  @Override
  public void close() {
    if (!file.equals(Execution.NOTHING) && !file.delete()) {
      LoggerFactory.getLogger(StandardInput.class).atWarn().log("standard input left behind");
    }
  }
}
