package mesh.workspace;

import java.time.Duration;
import mesh.execution.FileRefusal;
import mesh.execution.SandboxPath;
import mesh.tool.ToolRefusal;

/** Paths as agents give them to the file tools: absolute, or relative to the project directory. */
final class FilePaths {

  private static final SandboxPath TEMPORARY = new SandboxPath("/tmp");

  private FilePaths() {}

  /**
   * @throws ToolRefusal.BadArguments if it is malformed, or relative and leads out of the project
   */
  static SandboxPath readable(String path, Workspace workspace) {
    var resolved = resolved(path, workspace);
    if (!path.startsWith("/") && !resolved.isIn(workspace.project())) {
      throw outside(path, "a relative path must stay in the project directory");
    }
    if (resolved.isIn(GrantFolder.folder(workspace.home()))) {
      throw outside(path, "credentials are delivered there, and only to commands");
    }
    return resolved;
  }

  /** As {@link #readable}, and only where an agent has files of its own. */
  static SandboxPath writable(String path, Workspace workspace) {
    var resolved = readable(path, workspace);
    if (!resolved.isIn(workspace.project())
        && !resolved.isIn(workspace.home())
        && !resolved.isIn(TEMPORARY)) {
      throw outside(path, "files are written in the project directory, the home directory or /tmp");
    }
    return resolved;
  }

  static ToolRefusal refused(String path, String verb, FileRefusal reason) {
    return new ToolRefusal.BadArguments(
        "file_refused", "/path", "Could not %s %s: %s.".formatted(verb, path, reason.words()));
  }

  /** What was found below a path, as the file tools take it. */
  static String below(String path, String found) {
    var directory = path.equals(".") || path.equals("./") ? "" : path;
    return directory.isEmpty() || directory.endsWith("/")
        ? directory + found
        : directory + "/" + found;
  }

  /** The directory that links on the way must not lead out of; empty if the path is not in it. */
  static String fence(SandboxPath path, Workspace workspace) {
    return path.isIn(workspace.project()) ? workspace.project().value() : "";
  }

  /** What one of the scripts that look into a directory says with its exit code. */
  static ToolRefusal refusedLook(String path, int code) {
    return switch (code) {
      case ScriptCall.Ended.TOO_LONG ->
          new ToolRefusal.BadArguments(
              "search_too_long",
              "/path",
              "Looking through " + path + " took too long: name a smaller part of it.");
      case 3 -> outside(path, "a link leads out of the project directory there, or to credentials");
      case 4 ->
          new ToolRefusal.BadArguments(
              "file_missing", "/path", "There is no " + path + " in the workspace to look at.");
      case 5 ->
          new ToolRefusal.BadArguments(
              "file_refused", "/path", path + " is a file: this looks into directories.");
      case 7 ->
          new ToolRefusal.BadArguments(
              "file_refused", "/path", path + " is neither a directory nor a regular file.");
      default ->
          new ToolRefusal.TryLater(
              "runtime_unexpected",
              "The workspace could not be looked at (exit " + code + "): call again.",
              Duration.ZERO);
    };
  }

  private static SandboxPath resolved(String path, Workspace workspace) {
    try {
      return workspace.project().resolve(path);
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments("/path", String.valueOf(bad.getMessage()));
    }
  }

  private static ToolRefusal outside(String path, String why) {
    return new ToolRefusal.BadArguments(
        "path_outside", "/path", "'" + path + "' is out of bounds: " + why + ".");
  }
}
