package mesh.workspace;

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
