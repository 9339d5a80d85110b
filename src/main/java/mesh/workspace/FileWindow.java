package mesh.workspace;

import java.util.Arrays;
import mesh.execution.FileRead;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.redaction.Redactions;

/**
 * A window of a file, without secrets: the file is read as far to either side as a secret may
 * reach, redacted, and cut to what was asked for. So no series of windows shows in parts what none
 * shows whole.
 */
final class FileWindow {

  private FileWindow() {}

  static WindowRead read(
      Sandbox sandbox, SandboxPath path, long offset, int maxBytes, Redactions redactions)
      throws InterruptedException {
    int before = (int) Math.min(redactions.margin(), offset);
    int wanted = Math.min(before + maxBytes + redactions.margin(), FileRead.MAX_BYTES);
    return switch (sandbox.read(path, offset - before, wanted)) {
      case FileRead.Content content -> cut(content, offset, before, maxBytes, redactions);
      case FileRead.Absent() -> new WindowRead.Absent();
      case FileRead.Refused(var reason) -> new WindowRead.Refused(reason);
    };
  }

  private static WindowRead cut(
      FileRead.Content content, long offset, int before, int maxBytes, Redactions redactions) {
    var bytes = content.bytes();
    int from = Math.min(before, bytes.length);
    int to = Math.min(from + maxBytes, bytes.length);
    boolean eof = content.eof() && to == bytes.length;
    var raw = Arrays.copyOfRange(bytes, from, to);
    int whole = eof ? raw.length : Utf8.lastBoundary(raw, raw.length);
    boolean isText = Utf8.isValid(raw, whole) && (whole > 0 || raw.length == 0);
    int end = isText ? from + whole : to;
    var window = redactions.window(bytes, from, end);
    return new WindowRead.Content(
        window.bytes(), isText, offset + (end - from), content.size(), eof, window.count());
  }
}
