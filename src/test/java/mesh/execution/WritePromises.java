package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is there, byte for byte, with the right mode. */
abstract class WritePromises {

  private final Laboratory laboratory;

  WritePromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 30 */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 95 * 1024, 97 * 1024, 128 * 1024, 200 * 1024, 5 * 1024 * 1024})
  void bytesComeBackAsTheyWere(int size) throws InterruptedException {
    var content = new byte[size];
    new Random(size).nextBytes(content);
    var file = laboratory.folder().resolve("f");

    assertThat(laboratory.write(file, content)).isEqualTo(new FileWrite.Written(size));

    assertThat(laboratory.content(file)).isEqualTo(content);
    assertThat(laboratory.run("wc", "-c", file.value()).out()).startsWith(size + " ");
  }

  @Test
  void theLargestFileIsWrittenAndALargerOneRefused() throws InterruptedException {
    var content = new byte[FileWrite.MAX_BYTES];
    new Random(1).nextBytes(content);
    var file = laboratory.folder().resolve("f");

    assertThat(laboratory.write(file, content)).isEqualTo(new FileWrite.Written(content.length));
    assertThat(laboratory.write(file, new byte[content.length + 1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.TOO_LARGE));

    assertThat(laboratory.content(file)).isEqualTo(content);
  }

  /** case 66 */
  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb\r\n", "\uFEFFx", "no-newline", "\n", "tab\there", "☕"})
  void textIsNotTidied(String text) throws InterruptedException {
    var file = laboratory.folder().resolve("f");

    laboratory.write(file, text.getBytes(UTF_8));

    assertThat(laboratory.run("cat", file.value()).stdout()).isEqualTo(text.getBytes(UTF_8));
    assertThat(laboratory.content(file)).isEqualTo(text.getBytes(UTF_8));
  }

  @Test
  void aSecondWriteReplacesTheFirst() throws InterruptedException {
    var file = laboratory.folder().resolve("f");

    laboratory.write(file, "long content".getBytes(UTF_8));
    laboratory.write(file, "short".getBytes(UTF_8));

    assertThat(laboratory.content(file)).asString(UTF_8).isEqualTo("short");
  }

  /** case 65 */
  @Test
  void aFileKeepsItsModeAndANewOneGetsTheUsual() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory
        .shell(folder, "echo > run.sh; chmod 755 run.sh; echo > own; chmod 600 own")
        .succeeded();

    laboratory.write(folder.resolve("run.sh"), new byte[3]);
    laboratory.write(folder.resolve("own"), new byte[3]);
    laboratory.write(folder.resolve("new"), new byte[3]);

    assertThat(laboratory.shell(folder, "stat -c %a run.sh own new").out())
        .isEqualTo("755\n600\n644\n");
  }

  @Test
  void aModeThatIsAskedForIsGiven() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "echo > old; chmod 644 old").succeeded();

    laboratory.sandbox().write(folder.resolve("secret"), new byte[1], FileMode.PRIVATE);
    laboratory.sandbox().write(folder.resolve("old"), new byte[1], FileMode.PRIVATE);
    laboratory.sandbox().write(folder.resolve("run"), new byte[1], FileMode.parse("0777"));

    assertThat(laboratory.shell(folder, "stat -c %a secret old run").out())
        .isEqualTo("600\n600\n777\n");
  }

  /** case 67 */
  @Test
  void aPrivateFileIsNeverWiderForAMoment() throws InterruptedException {
    var folder = laboratory.folder();
    // Asked for what must not be there: a name that vanishes meanwhile fits any question with a
    // not.
    var watcher = "until [ -e ../stop-watching ]; do find . -type f -perm /177; done";
    var ran = new Transcript[1];
    var watch =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ran[0] = laboratory.shell(folder, watcher);
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });

    // Large, so that there is time to see it being written.
    for (var i = 0; i < 10; i++) {
      laboratory.sandbox().write(folder.resolve("secret"), new byte[8_000_000], FileMode.PRIVATE);
    }
    laboratory.write(folder.resolve("../stop-watching"), new byte[0]);
    watch.join();
    laboratory.run("rm", folder.resolve("../stop-watching").value());

    assertThat(ran[0].out()).isEmpty();
  }

  @Test
  void parentsAreCreated() throws InterruptedException {
    var folder = laboratory.folder();

    assertThat(laboratory.write(folder.resolve("a/b/c/f"), new byte[1]))
        .isEqualTo(new FileWrite.Written(1));

    assertThat(laboratory.content(folder.resolve("a/b/c/f"))).hasSize(1);
    assertThat(laboratory.shell(folder, "cd a/b/c && echo > other").code()).isZero();
  }

  @Test
  void aDirectoryAPipeAndAPathThroughAFileAreRefused() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "mkdir d; echo old > file; mkfifo pipe").succeeded();

    assertThat(laboratory.write(folder.resolve("d"), new byte[1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.IS_A_DIRECTORY));
    assertThat(laboratory.write(folder.resolve("pipe"), new byte[1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.NOT_A_REGULAR_FILE));
    assertThat(laboratory.write(folder.resolve("file/f"), new byte[1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.PARENT_NOT_A_DIRECTORY));
    assertThat(laboratory.write(folder.resolve("file/a/b"), new byte[1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.PARENT_NOT_A_DIRECTORY));
    assertThat(laboratory.shell(folder, "cat file; ls -A").out()).isEqualTo("old\nd\nfile\npipe\n");
  }

  @Test
  void aDirectoryWithoutPermissionIsRefused() throws InterruptedException {
    var folder = laboratory.folder();
    assumeTrue(!laboratory.run("id", "-u").out().equals("0\n"), "root may write anywhere");
    laboratory.shell(folder, "mkdir d; chmod 555 d").succeeded();

    assertThat(laboratory.write(folder.resolve("d/f"), new byte[1]))
        .isEqualTo(new FileWrite.Refused(FileRefusal.PERMISSION_DENIED));
  }

  @Test
  void aFileOutsideTheProjectCanBeWritten() throws InterruptedException {
    var file = laboratory.sandbox().home().resolve(".config/tool/settings");

    assertThat(laboratory.write(file, "x".getBytes(UTF_8))).isEqualTo(new FileWrite.Written(1));

    assertThat(laboratory.shell("cat \"$HOME/.config/tool/settings\"").out()).isEqualTo("x");
  }
}
