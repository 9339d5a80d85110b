package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The shell scripts that Mesh itself runs in sandboxes, resources of this package. */
enum SandboxScript {
  /** Makes the folder, and removes what dead instances left. */
  FOLDER("grant-folder.sh"),
  /** Runs a command with what its grant file says. */
  GRANTED("granted.sh"),
  /** Says what lies in the project directory. */
  MANIFEST("manifest.sh"),
  /** Says what can be connected to. */
  PROBE("probe.sh");

  private final String text;

  SandboxScript(String resource) {
    try (var stream = SandboxScript.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      text =
          new String(stream.readAllBytes(), UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .collect(joining("\n"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String text() {
    return text;
  }
}
