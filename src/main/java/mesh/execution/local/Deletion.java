package mesh.execution.local;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Deletes a directory with all in it, however deep, and follows no link. Left to {@code rm}: it is
 * safe against being raced and has no limit on depth, which Java's own walk is and has.
 */
final class Deletion {

  private Deletion() {}

  /**
   * @throws IOException if something is left
   */
  static void of(Path directory) throws IOException {
    try {
      run("rm", "-rf", "--", directory.toString());
      if (isThere(directory)) {
        // Directories that their owner may not write or search keep what is in them.
        run("chmod", "-R", "u+rwx", "--", directory.toString());
        run("rm", "-rf", "--", directory.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while deleting " + directory, e);
    }
    if (isThere(directory)) {
      throw new IOException("could not delete " + directory);
    }
  }

  private static boolean isThere(Path directory) {
    return Files.exists(directory, LinkOption.NOFOLLOW_LINKS);
  }

  private static void run(String... argv) throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(argv)
            .redirectInput(Redirect.from(Execution.NOTHING))
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    try {
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }
}
