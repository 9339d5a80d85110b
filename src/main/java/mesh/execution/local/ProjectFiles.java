package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Path;
import mesh.execution.BackendException;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileRefusal;
import mesh.execution.FileWrite;

/** Reads and writes files for a sandbox, and keeps links inside its project from leading out. */
final class ProjectFiles {

  private final Path project;

  ProjectFiles(Path project) {
    this.project = project;
  }

  FileRead read(Path path, long offset, int maxBytes) {
    try {
      var place = Place.of(path, project);
      return place.isThere() ? Page.of(place, offset, maxBytes) : new FileRead.Absent();
    } catch (FileRefusedException e) {
      return new FileRead.Refused(e.reason());
    } catch (IOException e) {
      return switch (Trouble.of(e, path, 0)) {
        case Trouble.Gone _ -> new FileRead.Absent();
        case Trouble.Refusal refusal -> new FileRead.Refused(refusal.reason());
        case Trouble.Unknown _ -> throw failed("read", path, e);
      };
    }
  }

  FileWrite write(Path path, byte[] content, FileMode mode) {
    if (content.length > FileWrite.MAX_BYTES) {
      return new FileWrite.Refused(FileRefusal.TOO_LARGE);
    }
    try {
      Replacement.of(Place.of(path, project), content, mode);
      return new FileWrite.Written(content.length);
    } catch (FileRefusedException e) {
      return new FileWrite.Refused(e.reason());
    } catch (IOException e) {
      if (Trouble.of(e, path, content.length) instanceof Trouble.Refusal refusal) {
        return new FileWrite.Refused(refusal.reason());
      }
      throw failed("write", path, e);
    }
  }

  private static BackendException failed(String verb, Path path, IOException cause) {
    return new BackendException.Unexpected("could not " + verb + " " + path + ": " + cause, cause);
  }
}
