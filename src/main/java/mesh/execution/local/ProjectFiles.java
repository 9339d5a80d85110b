package mesh.execution.local;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
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

  FileRead read(Path path, long offset, int maxBytes) throws InterruptedException {
    try {
      var place = Place.of(path, project);
      return place.isThere() ? Page.of(place, offset, maxBytes) : new FileRead.Absent();
    } catch (FileRefusedException e) {
      return new FileRead.Refused(e.reason());
    } catch (NoSuchFileException _) {
      return new FileRead.Absent();
    } catch (ClosedByInterruptException _) {
      throw interrupted();
    } catch (IOException e) {
      return Refusals.of(e, path, 0)
          .map(FileRead.Refused::new)
          .orElseThrow(() -> failed("read", path, e));
    }
  }

  FileWrite write(Path path, byte[] content, FileMode mode) throws InterruptedException {
    if (content.length > FileWrite.MAX_BYTES) {
      return new FileWrite.Refused(FileRefusal.TOO_LARGE);
    }
    try {
      Replacement.of(Place.of(path, project), content, mode);
      return new FileWrite.Written(content.length);
    } catch (FileRefusedException e) {
      return new FileWrite.Refused(e.reason());
    } catch (NoSuchFileException _) {
      // The directory is there, and yet takes no new files: so it is in /proc.
      return new FileWrite.Refused(FileRefusal.PERMISSION_DENIED);
    } catch (ClosedByInterruptException _) {
      throw interrupted();
    } catch (IOException e) {
      return Refusals.of(e, path, content.length)
          .map(FileWrite.Refused::new)
          .orElseThrow(() -> failed("write", path, e));
    }
  }

  private static InterruptedException interrupted() {
    var _ = Thread.interrupted();
    return new InterruptedException();
  }

  private static BackendException failed(String verb, Path path, IOException cause) {
    return new BackendException.Unexpected("could not " + verb + " " + path + ": " + cause, cause);
  }
}
