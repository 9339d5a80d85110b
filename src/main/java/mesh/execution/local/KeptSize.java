package mesh.execution.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import mesh.execution.Size;

/**
 * The size that a sandbox was made with, in a file of its folder. Commands can get at it, so it is
 * believed only as far as it makes sense, and nothing in its place keeps a sandbox from being used.
 */
record KeptSize(Path file) {

  /** More than any size's name has. */
  private static final int LONGEST = 16;

  /** Writes it unless something is there already: a sandbox has one size all its life. */
  void keep(Size size) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.writeString(file, size.name(), StandardOpenOption.CREATE_NEW);
    }
  }

  /** The least if there is none, or none that can be read. */
  Size read() {
    // Looked at before it is opened: to open a pipe is to wait for its other end.
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Size.SMALL;
    }
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      var name = new String(in.readNBytes(LONGEST), ISO_8859_1).strip();
      return Arrays.stream(Size.values())
          .filter(size -> size.name().equals(name))
          .findFirst()
          .orElse(Size.SMALL);
    } catch (IOException _) {
      return Size.SMALL;
    }
  }
}
