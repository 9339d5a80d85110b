package mesh.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import mesh.execution.FileMode;
import mesh.execution.FileRead;
import mesh.execution.FileRefusal;
import mesh.execution.FileWrite;
import mesh.execution.Outcome;
import mesh.execution.SandboxPath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Links, owners and full disks on the host itself. */
class LocalFilesTest {

  @RegisterExtension private final OwnSandbox here = new OwnSandbox();

  @Test
  void aLinkThatLeadsOutIsNotReadEither() throws IOException, InterruptedException {
    Files.createSymbolicLink(here.host("passwd"), Path.of("/etc/passwd"));
    Files.createSymbolicLink(here.host("etc"), Path.of("/etc"));

    var refused = new FileRead.Refused(FileRefusal.LINK_OUT_OF_PROJECT);
    assertThat(here.sandbox().read(here.path("passwd"), 0, 10)).isEqualTo(refused);
    assertThat(here.sandbox().read(here.path("etc/passwd"), 0, 10)).isEqualTo(refused);
    assertThat(here.sandbox().read(new SandboxPath("/etc/passwd"), 0, 10))
        .isInstanceOf(FileRead.Content.class);
  }

  @Test
  void meshsOwnProcessIsNotTheSandboxs() throws InterruptedException {
    for (var path : List.of("/proc/self/environ", "/proc/self/cmdline")) {
      assertThat(here.sandbox().read(new SandboxPath(path), 0, 10))
          .isEqualTo(new FileRead.Refused(FileRefusal.PERMISSION_DENIED));
    }
  }

  /** case 31 */
  @Test
  void aLinkInTheMiddleDoesNotLeadAWriteOut() throws IOException, InterruptedException {
    var victim = Files.createDirectory(here.root().resolve("victim"));
    Files.createDirectories(here.host("a"));
    Files.createSymbolicLink(here.host("a/b"), Path.of("../../../victim"));

    assertThat(here.sandbox().write(here.path("a/b/c/d"), new byte[1], FileMode.KEEP))
        .isEqualTo(new FileWrite.Refused(FileRefusal.LINK_OUT_OF_PROJECT));

    assertThat(victim).isEmptyDirectory();
  }

  @Test
  void whereNoFilesCanBeMadeAWriteIsRefused() throws InterruptedException {
    for (var path : List.of("/proc/version", "/proc/none", "/sys/none")) {
      assertThat(here.sandbox().write(new SandboxPath(path), new byte[1], FileMode.KEEP))
          .as(path)
          .isInstanceOf(FileWrite.Refused.class);
    }
  }

  /** case 65 */
  @Test
  void anOwnerIsKeptWhereMeshMayGiveFilesAway() throws IOException, InterruptedException {
    var file = Files.writeString(here.host("f"), "old");
    assumeTrue(Files.getOwner(Path.of("/proc/self")).getName().equals("root"), "root is meant");
    Files.setAttribute(file, "unix:uid", 12345);

    here.sandbox().write(here.path("f"), new byte[1], FileMode.KEEP);

    assertThat(Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS)).isEqualTo(12345);
    assertThat(Files.size(file)).isEqualTo(1);
  }

  /** case 70 */
  @Test
  void aFullDiskLeavesTheOldFile() throws IOException, InterruptedException {
    var mount = Files.createDirectory(here.host("small"));
    assumeTrue(
        here.exec("mount -t tmpfs -o size=1m none " + mount, OwnSandbox.PATIENCE)
            .equals(new Outcome.Exited(0, 0)),
        "a file system can be mounted");
    try {
      var old = new byte[600_000];
      old[0] = 7;
      here.sandbox().write(here.path("small/f"), old, FileMode.KEEP);

      assertThat(here.sandbox().write(here.path("small/f"), new byte[900_000], FileMode.KEEP))
          .isEqualTo(new FileWrite.Refused(FileRefusal.NO_SPACE));

      assertThat(Files.readAllBytes(mount.resolve("f"))).isEqualTo(old);
      try (var left = Files.list(mount)) {
        assertThat(left).hasSize(1);
      }
      here.exec("mount -o remount,ro " + mount, OwnSandbox.PATIENCE);
      assertThat(here.sandbox().write(here.path("small/f"), new byte[1], FileMode.KEEP))
          .isEqualTo(new FileWrite.Refused(FileRefusal.READ_ONLY));
    } finally {
      here.exec("umount " + mount, OwnSandbox.PATIENCE);
    }
  }
}
