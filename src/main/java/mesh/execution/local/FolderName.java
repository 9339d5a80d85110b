package mesh.execution.local;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import mesh.execution.SandboxKey;

/** What a directory below the root is called: which sandbox it belongs to, and how far that is. */
record FolderName(Stage stage, SandboxKey key) {

  /** In the order of what is to be believed of a sandbox that has several directories. */
  enum Stage {
    AWAKE(""),
    ASLEEP(".asleep-"),
    /** Being deleted, or left by a crash while it was. */
    GOING(".going-"),
    /** Being made, or left by a crash while it was. */
    COMING(".coming-");

    private final String prefix;

    Stage(String prefix) {
      this.prefix = prefix;
    }

    /** Of those there may be several at a time, so each has a name of its own. */
    private boolean isPassing() {
      return this == GOING || this == COMING;
    }

    String nameFor(SandboxKey key) {
      return prefix + key.value() + (isPassing() ? "_" + Marks.next() : "");
    }

    private Optional<FolderName> parse(String name) {
      if (!name.startsWith(prefix)) {
        return Optional.empty();
      }
      var rest = name.substring(prefix.length());
      var end = isPassing() ? rest.indexOf('_') : rest.length();
      return end < 0
          ? Optional.empty()
          : key(rest.substring(0, end)).map(key -> new FolderName(this, key));
    }
  }

  /** Empty if it is none of ours. */
  static Optional<FolderName> of(Path directory) {
    var name = directory.getFileName().toString();
    return Arrays.stream(Stage.values()).flatMap(stage -> stage.parse(name).stream()).findFirst();
  }

  /** Empty if no sandbox is called that. */
  static Optional<SandboxKey> key(String text) {
    try {
      return Optional.of(new SandboxKey(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
