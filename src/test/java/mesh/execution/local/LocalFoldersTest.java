package mesh.execution.local;

import static mesh.execution.Size.SMALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import mesh.execution.BackendException;
import mesh.execution.Capabilities;
import mesh.execution.Capability;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.Outcome;
import mesh.execution.Release;
import mesh.execution.SandboxSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The directories that sandboxes are. */
class LocalFoldersTest {

  @RegisterExtension private final OwnSandbox here = new OwnSandbox();

  @Test
  void aSandboxIsThreePrivateDirectoriesUnderItsKey() throws IOException {
    var folder = here.root().resolve(here.spec().key().value());

    assertThat(here.sandbox().ref()).isEqualTo(ExternalRef.of(here.spec().key().value()));
    assertThat(here.sandbox().project().value()).isEqualTo(folder + "/project");
    assertThat(here.sandbox().home().value()).isEqualTo(folder + "/home");
    for (var name : List.of("", "project", "home", "tmp")) {
      assertThat(Files.getPosixFilePermissions(folder.resolve(name)))
          .as(name)
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
    assertThat(Files.getPosixFilePermissions(here.root()))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aRootBehindALinkIsSeenWhereItReallyIs() throws IOException, InterruptedException {
    var link = Files.createSymbolicLink(here.root().resolve("link"), here.root());

    try (var behind = new LocalBackend(link, MemorySizes.USUAL)) {
      assertThat(behind.acquire(here.spec()).project()).isEqualTo(here.sandbox().project());
      assertThat(behind.attach(here.sandbox().ref()).project()).isEqualTo(here.sandbox().project());
    }
  }

  @Test
  void aRootThatCannotBeMadeIsTheOperatorsToMend() throws IOException {
    var file = Files.createFile(here.root().resolve("file"));

    try (var impossible = new LocalBackend(file.resolve("below"), MemorySizes.USUAL)) {
      assertThatThrownBy(() -> impossible.acquire(here.spec()))
          .isInstanceOf(BackendException.Rejected.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void theNextReleaseFinishesOneThatCrashed() throws IOException, InterruptedException {
    var folder = here.root().resolve(here.spec().key().value());
    Files.move(folder, here.root().resolve(".going-" + here.spec().key().value() + "_crashed"));

    assertThatThrownBy(() -> here.backend().attach(here.sandbox().ref()))
        .isInstanceOf(BackendException.SandboxGone.class);
    assertThat(here.backend().list(OwnSandbox.HERE).entries())
        .extracting(InventoryEntry::key)
        .containsExactly(here.spec().key());
    assertThat(here.backend().release(here.sandbox().ref())).isEqualTo(Release.DESTROYED);

    assertThat(here.backend().list(OwnSandbox.HERE).entries()).isEmpty();
    assertThat(here.root()).isDirectoryNotContaining(it -> !it.endsWith(".lock"));
  }

  @Test
  void whatElseLiesInTheRootIsCountedAndNotTouched() throws IOException, InterruptedException {
    Files.createDirectory(here.root().resolve("mesh-0123456789-mine"));
    Files.createDirectory(here.root().resolve("mesh-ab-cd-1"));
    Files.createFile(here.root().resolve("notes"));
    var another =
        SandboxSpec.of(
            new InstallationId("another123"), UUID.randomUUID(), 1, SMALL, Duration.ofHours(1));
    here.backend().acquire(another);
    Files.createFile(here.root().resolve(here.spec().key().value() + "0"));
    Files.createDirectory(here.root().resolve(".coming-" + here.spec().key().value() + "_later"));

    var inventory = here.backend().list(OwnSandbox.HERE);
    assertThat(inventory.entries())
        .extracting(InventoryEntry::key)
        .containsExactly(here.spec().key());
    assertThat(inventory.others()).isEqualTo(1);
    assertThat(inventory.unmarked()).isEqualTo(2);
    assertThat(here.backend().release(ExternalRef.of("../../elsewhere")))
        .isEqualTo(Release.DESTROYED);
    here.backend().destroy(here.sandbox().ref());

    assertThat(here.root().resolve("mesh-0123456789-mine")).isDirectory();
    assertThat(here.root().resolve("notes")).isRegularFile();
  }

  @Test
  void aProjectThatWasDeletedIsNoGoneSandbox() throws InterruptedException {
    here.run("rm", "-rf", here.sandbox().project().value());

    assertThat(here.sandbox().exec(here.command("true"), (_, _) -> {}))
        .isEqualTo(new Outcome.NoSuchDirectory());
    assertThat(here.backend().acquire(here.spec()).exec(here.command("true"), (_, _) -> {}))
        .isEqualTo(new Outcome.Exited(0, 0));
  }

  @Test
  void itHasAShellAndSizesAndHibernatesAndNothingMore() {
    assertThat(Capabilities.of(here.backend()).present())
        .containsExactlyInAnyOrder(Capability.SHELL, Capability.HIBERNATION, Capability.SIZES);
  }
}
