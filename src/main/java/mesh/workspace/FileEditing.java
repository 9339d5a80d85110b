package mesh.workspace;

import java.time.Duration;
import java.util.Arrays;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileWrite;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.redaction.Redactions;
import mesh.tool.ToolRefusal;

/**
 * Changes a file without losing what others write to it meanwhile: it is read once more before it
 * is written, and the edit begins anew if it is not the same any more. Between that second read and
 * the write nothing protects it, since a sandbox knows no conditional write; edits and writes of
 * one instance of Mesh do not come into it, because they wait for each other.
 */
final class FileEditing {

  private static final int ATTEMPTS = 5;

  private FileEditing() {}

  static TextEdit.Edited edit(
      Sandbox sandbox, SandboxPath path, TextEdit edit, Redactions redactions)
      throws InterruptedException {
    var content = read(sandbox, path, edit);
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var edited = edit.apply(content, redactions);
      if (edited.content().length > FileWrite.MAX_BYTES) {
        throw tooLarge(edit);
      }
      var now = read(sandbox, path, edit);
      if (Arrays.equals(content, now)) {
        if (sandbox.write(path, edited.content(), FileMode.KEEP)
            instanceof FileWrite.Refused(var reason)) {
          throw FilePaths.refused(edit.path(), "write", reason);
        }
        return edited;
      }
      content = now;
    }
    throw new ToolRefusal.TryLater(
        "edit_conflict",
        "Something in the workspace keeps changing " + edit.path() + ": nothing was changed.",
        Duration.ofSeconds(1));
  }

  private static byte[] read(Sandbox sandbox, SandboxPath path, TextEdit edit)
      throws InterruptedException {
    return switch (sandbox.read(path, 0, FileRead.MAX_BYTES)) {
      case FileRead.Content(var bytes, _, var eof) -> {
        if (!eof) {
          throw tooLarge(edit);
        }
        yield bytes;
      }
      case FileRead.Absent() ->
          throw new ToolRefusal.BadArguments(
              "file_missing", "/path", "There is no file " + edit.path() + " in the workspace.");
      case FileRead.Refused(var reason) -> throw FilePaths.refused(edit.path(), "read", reason);
    };
  }

  private static ToolRefusal tooLarge(TextEdit edit) {
    return new ToolRefusal.BadArguments(
        "file_refused",
        "/path",
        "%s is larger than %d bytes: change it with a command."
            .formatted(edit.path(), FileRead.MAX_BYTES));
  }
}
