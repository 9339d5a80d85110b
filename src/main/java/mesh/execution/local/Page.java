package mesh.execution.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;
import mesh.execution.FileRead;
import mesh.execution.FileRefusal;

/** Reads a page of what is at a place. */
final class Page {

  private Page() {}

  static FileRead of(Place place, long offset, int maxBytes) throws IOException {
    var attributes = place.found().orElseThrow();
    if (attributes.isDirectory()) {
      return new FileRead.Refused(FileRefusal.IS_A_DIRECTORY);
    }
    // Looked at before it is opened: to open a pipe is to wait for its other end.
    if (!attributes.isRegularFile()) {
      return new FileRead.Refused(FileRefusal.NOT_A_REGULAR_FILE);
    }
    try (var file =
        Files.newByteChannel(
            place.path(), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      return read(file, offset, maxBytes);
    }
  }

  private static FileRead read(SeekableByteChannel file, long offset, int maxBytes)
      throws IOException {
    // A file in /proc says it is empty and is not, so all there may be is asked for.
    var claimed = file.size();
    var buffer =
        ByteBuffer.allocate(claimed > offset ? fitting(claimed - offset, maxBytes) : maxBytes);
    file.position(offset);
    var ended = false;
    while (buffer.hasRemaining() && !ended) {
      ended = file.read(buffer) < 0;
    }
    var bytes = Arrays.copyOf(buffer.array(), buffer.position());
    var size = Math.max(file.size(), bytes.length == 0 ? 0 : offset + bytes.length);
    return new FileRead.Content(bytes, size, ended || offset + bytes.length >= size && claimed > 0);
  }

  private static int fitting(long rest, int maxBytes) {
    return (int) Math.min(rest, maxBytes);
  }
}
