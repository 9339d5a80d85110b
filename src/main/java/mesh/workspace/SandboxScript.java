package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;

/** The shell scripts that Mesh itself runs in sandboxes, resources of this package. */
enum SandboxScript {
  /** Makes the folder, and removes what dead instances left. */
  FOLDER("grant-folder.sh"),
  /** Runs a command with what its grant file says. */
  GRANTED("granted.sh"),
  /** Says what lies in the project directory. */
  MANIFEST("manifest.sh"),
  /** Says what can be connected to. */
  PROBE("probe.sh"),
  /** Says what is in a directory. */
  LIST("list.sh"),
  /** Names files by patterns. */
  GLOB("glob.sh"),
  /** Finds lines. */
  GREP("grep.sh"),
  /** Starts a command in the background. */
  PROCESS_START("process-state.sh", "process-start.sh"),
  /** Looks after one of those. */
  PROCESS_KEEP("process-keep.sh"),
  /** Says which there are. */
  PROCESS_LIST("process-state.sh", "process-list.sh"),
  /** Prints a piece of what one has printed. */
  PROCESS_OUTPUT("process-state.sh", "process-output.sh"),
  /** Sends one a signal. */
  PROCESS_SIGNAL("process-state.sh", "process-signal.sh");

  private final String text;

  /**
   * @param resources make up the script in this order
   */
  SandboxScript(String... resources) {
    text = Stream.of(resources).map(SandboxScript::read).collect(joining("\n"));
  }

  private static String read(String resource) {
    try (var stream = SandboxScript.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      return new String(stream.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.stripLeading().startsWith("#"))
          .collect(joining("\n"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String text() {
    return text;
  }
}
