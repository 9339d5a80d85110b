package mesh.execution;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files are read exactly and in pages; what is no file is told, not waited for. */
abstract class ReadPromises {

  private final Laboratory laboratory;

  ReadPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @Test
  void aFileIsReadInPages() throws InterruptedException {
    var file = laboratory.folder().resolve("ten");
    laboratory.write(file, "0123456789".getBytes(US_ASCII));

    assertThat(page(file, 0, 4)).isEqualTo("0123 of 10, more");
    assertThat(page(file, 4, 4)).isEqualTo("4567 of 10, more");
    assertThat(page(file, 8, 4)).isEqualTo("89 of 10, end");
    assertThat(page(file, 6, 4)).isEqualTo("6789 of 10, end");
    assertThat(page(file, 0, 10)).isEqualTo("0123456789 of 10, end");
    assertThat(page(file, 10, 4)).isEqualTo(" of 10, end");
    assertThat(page(file, 5_000_000_000L, 4)).isEqualTo(" of 10, end");
  }

  @Test
  void aFileLargerThanAPageIsReadWhole() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "seq 1 2600000 > numbers").succeeded();
    var sum = laboratory.shell(folder, "cksum < numbers").out().split(" ");

    var read = new ByteArrayOutputStream();
    var eof = false;
    while (!eof) {
      var page =
          laboratory.sandbox().read(folder.resolve("numbers"), read.size(), FileRead.MAX_BYTES);
      var content = (FileRead.Content) page;
      assertThat(content.bytes().length).isLessThanOrEqualTo(FileRead.MAX_BYTES);
      read.writeBytes(content.bytes());
      eof = content.eof();
    }

    assertThat(read.size()).isEqualTo(Integer.parseInt(sum[1].strip()));
    assertThat(read.toString(US_ASCII)).startsWith("1\n2\n").endsWith("2600000\n");
  }

  @Test
  void anEmptyFileHasNoBytes() throws InterruptedException {
    var file = laboratory.folder().resolve("empty");
    laboratory.shell(": > " + file.value()).succeeded();

    assertThat(page(file, 0, 10)).isEqualTo(" of 0, end");
  }

  @Test
  void whatACommandWroteIsRead() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "printf 'ok\\200\\377\\000end' > f").succeeded();

    assertThat(laboratory.content(folder.resolve("f")))
        .containsExactly('o', 'k', 0x80, 0xff, 0, 'e', 'n', 'd');
  }

  @Test
  void aMissingFileIsAbsent() throws InterruptedException {
    var folder = laboratory.folder();

    assertThat(read(folder.resolve("none"))).isEqualTo(new FileRead.Absent());
    assertThat(read(folder.resolve("none/below"))).isEqualTo(new FileRead.Absent());
  }

  @Test
  void aFileHasNothingBelowIt() throws InterruptedException {
    var file = laboratory.folder().resolve("file");
    laboratory.write(file, new byte[0]);

    assertThat(read(file.resolve("below")))
        .isIn(new FileRead.Absent(), new FileRead.Refused(FileRefusal.PARENT_NOT_A_DIRECTORY));
  }

  @Test
  void aDirectoryIsRefused() throws InterruptedException {
    assertThat(read(laboratory.folder()))
        .isEqualTo(new FileRead.Refused(FileRefusal.IS_A_DIRECTORY));
    assertThat(read(new SandboxPath("/")))
        .isEqualTo(new FileRead.Refused(FileRefusal.IS_A_DIRECTORY));
  }

  /** case 68 */
  @Test
  void pipesAndDevicesAreRefusedAtOnce() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.shell(folder, "mkfifo pipe; ln -s pipe link").succeeded();
    var odd =
        List.of(
            folder.resolve("pipe"),
            folder.resolve("link"),
            new SandboxPath("/dev/zero"),
            new SandboxPath("/dev/null"));

    for (var path : odd) {
      var start = System.nanoTime();
      assertThat(read(path))
          .as(path.value())
          .isEqualTo(new FileRead.Refused(FileRefusal.NOT_A_REGULAR_FILE));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
    }
    assertThat(read(new SandboxPath("/dev/stdin"))).isNotInstanceOf(FileRead.Content.class);
  }

  /** case 68 */
  @Test
  void aFileThatDoesNotKnowItsSizeIsRead() throws InterruptedException {
    var version = laboratory.run("cat", "/proc/version");
    assumeTrue(version.outcome().equals(new Outcome.Exited(0, 0)), "there is a /proc");

    var content = (FileRead.Content) read(new SandboxPath("/proc/version"));

    assertThat(content.bytes()).isEqualTo(version.stdout());
    assertThat(content.size()).isEqualTo(version.stdout().length);
    assertThat(content.eof()).isTrue();
  }

  @Test
  void aFileWithoutPermissionIsRefused() throws InterruptedException {
    var folder = laboratory.folder();
    assumeTrue(!laboratory.run("id", "-u").out().equals("0\n"), "root may read anything");
    laboratory.shell(folder, "echo x > f; chmod 000 f").succeeded();

    assertThat(read(folder.resolve("f")))
        .isEqualTo(new FileRead.Refused(FileRefusal.PERMISSION_DENIED));
  }

  @Test
  void aPageOutsideItsLimitsIsTheCallersMistake() throws InterruptedException {
    var sandbox = laboratory.sandbox();
    var file = sandbox.project().resolve("any");

    for (var size : List.of(0, -1, FileRead.MAX_BYTES + 1)) {
      assertThatThrownBy(() -> sandbox.read(file, 0, size))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> sandbox.read(file, -1, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private FileRead read(SandboxPath path) throws InterruptedException {
    return laboratory.sandbox().read(path, 0, FileRead.MAX_BYTES);
  }

  private String page(SandboxPath path, long offset, int bytes) throws InterruptedException {
    var content = (FileRead.Content) laboratory.sandbox().read(path, offset, bytes);
    return new String(content.bytes(), UTF_8)
        + " of "
        + content.size()
        + (content.eof() ? ", end" : ", more");
  }
}
