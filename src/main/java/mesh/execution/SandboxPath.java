package mesh.execution;

import java.util.ArrayList;

/** An absolute, normalised POSIX path inside a sandbox: no {@code .}, {@code ..} or empty part. */
public record SandboxPath(String value) {

  /** Longest path in bytes of UTF-8 that Linux takes, less its NUL. */
  public static final int MAX_BYTES = 4095;

  public SandboxPath {
    if (!value.startsWith("/") || value.indexOf('\0') >= 0 || !value.equals(normal(value))) {
      throw new IllegalArgumentException("not an absolute, normalised path: " + value);
    }
  }

  /**
   * Resolves a path as a person wrote it against this directory: relative or absolute, with {@code
   * .} and {@code ..} and doubled slashes.
   *
   * @throws IllegalArgumentException if it is empty or holds a NUL
   */
  public SandboxPath resolve(String path) {
    if (path.isEmpty() || path.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a path must not be empty or hold a NUL character");
    }
    return new SandboxPath(normal(path.startsWith("/") ? path : value + "/" + path));
  }

  /** Whether this is {@code directory} or below it, by its text; links are not followed. */
  public boolean isIn(SandboxPath directory) {
    return value.equals(directory.value)
        || directory.value.equals("/")
        || value.startsWith(directory.value + "/");
  }

  private static String normal(String path) {
    var parts = new ArrayList<String>();
    for (var part : path.split("/", -1)) {
      switch (part) {
        case "", "." -> {}
        case ".." -> {
          if (!parts.isEmpty()) {
            parts.removeLast();
          }
        }
        default -> parts.add(part);
      }
    }
    return "/" + String.join("/", parts);
  }

  @Override
  public String toString() {
    return value;
  }
}
