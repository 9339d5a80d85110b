package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** The shell scripts that run inside a sandbox, resources of this package. */
enum Script {
  /** Runs a command and reports how it ended. */
  COMMAND,
  /** Kills everything that a command left or is. */
  SWEEP,
  /** Kills everything. */
  CLEAR,
  READ,
  WRITE;

  private final String text;

  Script() {
    var resource = name().toLowerCase(Locale.ROOT) + ".sh";
    try (var stream = Script.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("no resource " + resource);
      }
      // One of them is sent in a URL, where comments would be a third of it.
      text =
          new String(stream.readAllBytes(), UTF_8)
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
