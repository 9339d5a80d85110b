package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** case 71: a file may have any name that Linux takes. */
abstract class NamePromises {

  private final Laboratory laboratory;

  NamePromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b/é ☕/-n.txt",
        "q'\"$x",
        "line\nbreak",
        "-rf",
        "*",
        "~",
        "$(id)",
        "`id`",
        "back\\slash",
        "%41%2F",
        "a+b&c=d#e?f",
        " lead and trail ",
        "\ttab",
        "...",
        ".hidden",
        "e\u0301",
        "😀"
      })
  void anyNameIsWrittenReadAndSeenByCommands(String name) throws InterruptedException {
    var folder = laboratory.folder();
    var content = name.getBytes(UTF_8);

    assertThat(laboratory.write(folder.resolve(name), content))
        .isEqualTo(new FileWrite.Written(content.length));

    assertThat(laboratory.content(folder.resolve(name))).isEqualTo(content);
    assertThat(laboratory.run("cat", folder.resolve(name).value()).succeeded().stdout())
        .isEqualTo(content);
  }

  @Test
  void theLongestNameIsTaken() throws InterruptedException {
    var folder = laboratory.folder();

    for (var name : new String[] {"n".repeat(255), "é".repeat(127)}) {
      var file = folder.resolve(name);
      assertThat(laboratory.write(file, new byte[] {7})).isEqualTo(new FileWrite.Written(1));
      assertThat(laboratory.content(file)).containsExactly(7);
    }
  }

  @Test
  void aLongerNameIsRefused() throws InterruptedException {
    var folder = laboratory.folder();
    var tooLong = new FileWrite.Refused(FileRefusal.NAME_TOO_LONG);

    assertThat(laboratory.write(folder.resolve("n".repeat(256)), new byte[1])).isEqualTo(tooLong);
    assertThat(laboratory.write(folder.resolve("é".repeat(128)), new byte[1])).isEqualTo(tooLong);
    assertThat(laboratory.write(folder.resolve("n".repeat(256) + "/f"), new byte[1]))
        .isEqualTo(tooLong);
    assertThat(laboratory.write(folder.resolve(("n".repeat(250) + "/").repeat(20)), new byte[1]))
        .isEqualTo(tooLong);
    assertThat(laboratory.shell(folder, "ls -A").out()).isEmpty();
    assertThat(laboratory.sandbox().read(folder.resolve("n".repeat(256)), 0, 1))
        .isIn(new FileRead.Absent(), new FileRead.Refused(FileRefusal.NAME_TOO_LONG));
  }
}
