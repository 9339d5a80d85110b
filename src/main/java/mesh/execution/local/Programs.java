package mesh.execution.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Tells whether a program can be started as {@code exec} would, without starting it. */
final class Programs {

  /** Why not, as a shell puts it: an exit code and a line of text. */
  record Refusal(int code, String text) {

    static Refusal missing(String program) {
      return new Refusal(127, program + ": no such program\n");
    }

    static Refusal notExecutable(String program) {
      return new Refusal(126, program + ": permission denied, or not a program\n");
    }
  }

  private final String searchPath;

  Programs(String searchPath) {
    this.searchPath = searchPath;
  }

  /** Empty if it can be started. */
  Optional<Refusal> refusal(String program, Path directory) {
    if (program.indexOf('/') >= 0) {
      return refusal(program, Optional.of(directory.resolve(HostText.path(program))));
    }
    Optional<Path> candidate = Optional.empty();
    for (var entry : searchPath.split(":", -1)) {
      var file = directory.resolve(HostText.path(entry)).resolve(HostText.path(program));
      if (isProgram(file)) {
        return Optional.empty();
      }
      if (candidate.isEmpty() && Files.isRegularFile(file)) {
        candidate = Optional.of(file);
      }
    }
    return refusal(program, candidate);
  }

  private static Optional<Refusal> refusal(String program, Optional<Path> file) {
    if (file.isEmpty() || !Files.exists(file.get())) {
      return Optional.of(Refusal.missing(program));
    }
    return isProgram(file.get()) ? Optional.empty() : Optional.of(Refusal.notExecutable(program));
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
