package mesh.execution.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mesh.execution.BackendException;
import mesh.execution.FileMode;
import mesh.execution.Outcome;
import mesh.execution.Release;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How a directory falls asleep and wakes, also when that is cut short. */
class LocalHibernationTest {

  private static final String LEAVES_A_CHILD = "setsid sleep 77 >/dev/null 2>&1 & echo $! > pid";

  @RegisterExtension private final OwnSandbox here = new OwnSandbox();

  private Path awake() {
    return here.root().resolve(here.spec().key().value());
  }

  private Path asleep() {
    return here.root().resolve(".asleep-" + here.spec().key().value());
  }

  private void release() throws InterruptedException {
    assertThat(here.backend().release(here.sandbox().ref())).isEqualTo(Release.HIBERNATED);
  }

  private void wake() throws InterruptedException {
    here.backend().wake(here.sandbox().ref());
  }

  @Test
  void asleepItIsGoneForWhoeverHeldIt() throws InterruptedException {
    release();

    assertThat(asleep()).isDirectory();
    assertThat(awake()).doesNotExist();
    assertGone(() -> here.backend().attach(here.sandbox().ref()));
    assertGone(() -> here.sandbox().exec(here.command("true"), (_, _) -> {}));
    assertGone(() -> here.sandbox().read(here.path("f"), 0, 1));
    assertGone(() -> here.sandbox().write(here.path("f"), new byte[1], FileMode.KEEP));
    assertThat(awake()).doesNotExist();

    wake();
    assertThat(asleep()).doesNotExist();
    assertThat(here.sandbox().exec(here.command("true"), (_, _) -> {}))
        .isEqualTo(new Outcome.Exited(0, 0));
  }

  private static void assertGone(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(BackendException.SandboxGone.class);
  }

  /** As a process does that dies right after the rename. */
  private long fallAsleepHalfway() throws IOException, InterruptedException {
    here.exec(LEAVES_A_CHILD, OwnSandbox.PATIENCE);
    var child = here.pid();
    Files.move(awake(), asleep());
    assertThat(here.isAlive(child)).isTrue();
    return child;
  }

  @Test
  void releasedAgainItSleepsAfterAll() throws IOException, InterruptedException {
    var child = fallAsleepHalfway();

    release();

    assertThat(here.isAlive(child)).isFalse();
    assertThat(asleep().resolve("project/pid")).exists();
    assertThat(asleep().resolve("tmp")).doesNotExist();
  }

  @Test
  void wokenNothingRuns() throws IOException, InterruptedException {
    Files.writeString(
        Path.of(here.sandbox().project().value()).resolveSibling("tmp").resolve("t"), "");
    var child = fallAsleepHalfway();

    wake();

    assertThat(here.isAlive(child)).isFalse();
    assertThat(awake().resolve("tmp")).isEmptyDirectory();
    assertThat(here.host("pid")).exists();
  }

  @Test
  void acquiredNothingRuns() throws IOException, InterruptedException {
    var child = fallAsleepHalfway();

    here.backend().acquire(here.spec());

    assertThat(here.isAlive(child)).isFalse();
    assertThat(here.host("pid")).exists();
    assertThat(asleep()).doesNotExist();
  }

  @Test
  void destroyedHalfwayNothingIsLeft() throws IOException, InterruptedException {
    var child = fallAsleepHalfway();

    here.backend().destroy(here.sandbox().ref());

    assertThat(here.isAlive(child)).isFalse();
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() throws IOException {
    try (var files = Files.list(here.root())) {
      assertThat(files.map(it -> it.getFileName().toString())).containsExactly(".lock");
    }
  }

  @Test
  void temporaryFilesAreGoneAtOnce() throws IOException, InterruptedException {
    here.run("sh", "-c", "cd $TMPDIR; mkdir -p a/b; echo > a/b/c; chmod 000 a/b; chmod 500 . ..");

    release();

    assertThat(asleep().resolve("tmp")).doesNotExist();
    try (var files = Files.list(here.root())) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .containsExactlyInAnyOrder(".lock", asleep().getFileName().toString());
    }
    wake();
    assertThat(here.run("sh", "-c", "ls -A $TMPDIR; f=$(mktemp); echo $?")).isEqualTo("0\n");
  }

  @Test
  void aLinkInPlaceOfTheTemporaryFilesIsNotFollowed() throws IOException, InterruptedException {
    var other = Files.createDirectory(here.root().resolveSibling("other"));
    Files.writeString(other.resolve("kept"), "");
    here.run("sh", "-c", "rmdir $TMPDIR; ln -s '" + other + "' $TMPDIR");

    release();
    wake();

    assertThat(other.resolve("kept")).exists();
    assertThat(awake().resolve("tmp")).isEmptyDirectory();
    here.backend().destroy(here.sandbox().ref());
    assertNothingIsLeft();
  }

  @Test
  void whatWasPutInPlaceOfTheProjectDoesNotKeepItAsleep() throws IOException, InterruptedException {
    here.run("sh", "-c", "cd ..; rm -rf project; echo > project; rm -rf home; ln -s /nowhere home");

    release();
    wake();

    assertThat(awake().resolve("project")).isRegularFile();
  }

  /** A release that comes late must not hit what its successor started. */
  @Test
  void whatRunsInASandboxThatIsAwakeIsLeftAlone() throws InterruptedException {
    here.exec(LEAVES_A_CHILD, OwnSandbox.PATIENCE);

    ProcessTree.endSandbox(here.spec().key(), List.of(awake()), () -> true);
    assertThat(here.isAlive(here.pid())).isTrue();

    ProcessTree.endSandbox(here.spec().key(), List.of(awake()), () -> false);
    assertThat(here.isAlive(here.pid())).isFalse();
  }

  @Test
  void whileAnotherProcessChangesTheFoldersWeWait() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    var holder =
        new ProcessBuilder(
                java,
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                here.root().resolve(".lock").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(holder.getInputStream().read()).isEqualTo('!');
      var releasing = threads.submit(() -> here.backend().release(here.sandbox().ref()));
      assertThatThrownBy(() -> releasing.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      assertThat(awake()).isDirectory();

      holder.destroyForcibly().waitFor();

      assertThat(releasing.get(8, TimeUnit.SECONDS)).isEqualTo(Release.HIBERNATED);
    }
  }

  /** Another process of Mesh, which stays inside the gate until it is killed. */
  static final class Holder {

    private Holder() {}

    public static void main(String[] arguments) throws IOException {
      try (var file =
          java.nio.channels.FileChannel.open(
              Path.of(arguments[0]), java.nio.file.StandardOpenOption.WRITE)) {
        var _ = file.lock();
        System.out.print("!");
        System.out.flush();
        var _ = System.in.read();
      }
    }
  }
}
