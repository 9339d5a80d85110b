package mesh.execution.local;

import java.io.ByteArrayOutputStream;
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
    var size = file.size();
    if (size == 0) {
      return readToEnd(file, offset, maxBytes);
    }
    var buffer = ByteBuffer.allocate(Math.clamp(size - offset, 0, maxBytes));
    var ended = fill(buffer, file.position(offset));
    var bytes = Arrays.copyOf(buffer.array(), buffer.position());
    return new FileRead.Content(bytes, size, ended || offset + bytes.length >= size);
  }

  /** A file in {@code /proc} says that it is empty and is not: its end shows when it is reached. */
  private static FileRead readToEnd(SeekableByteChannel file, long offset, int maxBytes)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    file.position(offset);
    var ended = false;
    while (bytes.size() < maxBytes && !ended) {
      var buffer = ByteBuffer.allocate(Math.min(maxBytes - bytes.size(), Outlet.BUFFER_BYTES));
      ended = fill(buffer, file);
      bytes.write(buffer.array(), 0, buffer.position());
    }
    var size = bytes.size() == 0 ? 0 : offset + bytes.size();
    return new FileRead.Content(bytes.toByteArray(), size, ended);
  }

  /** Whether the file ended first. */
  private static boolean fill(ByteBuffer buffer, SeekableByteChannel file) throws IOException {
    while (buffer.hasRemaining()) {
      if (file.read(buffer) < 0) {
        return true;
      }
    }
    return false;
  }
}
