package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** One key, one sandbox; what is destroyed is gone, with everything that ran in it. */
abstract class LifeCyclePromises {

  private final Laboratory laboratory;

  LifeCyclePromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @Test
  void acquiringAgainFindsTheSameSandbox() throws InterruptedException {
    var spec = laboratory.newSpec();
    var first = laboratory.backend().acquire(spec);
    first.write(first.project().resolve("f"), "kept".getBytes(UTF_8), FileMode.KEEP);

    var again = laboratory.another().acquire(spec);

    assertThat(again.ref()).isEqualTo(first.ref());
    assertThat(again.project()).isEqualTo(first.project());
    assertThat(again.home()).isEqualTo(first.home());
    assertThat(Laboratory.contentOf(again, again.project().resolve("f")))
        .asString(UTF_8)
        .isEqualTo("kept");
    laboratory.destroy(first.ref());
  }

  /** case 10 */
  @Test
  void acquiringAtOnceMakesOneSandbox() throws InterruptedException, ExecutionException {
    var spec = laboratory.newSpec();
    var backends = List.of(laboratory.backend(), laboratory.another());
    Set<ExternalRef> refs = new HashSet<>();

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var acquiring = new ArrayList<Future<Sandbox>>();
      for (var i = 0; i < 8; i++) {
        var backend = backends.get(i % 2);
        acquiring.add(threads.submit(() -> backend.acquire(spec)));
      }
      for (var acquired : acquiring) {
        refs.add(acquired.get().ref());
      }
    }

    assertThat(refs).hasSize(1);
    assertThat(laboratory.backend().list(laboratory.installation()).entries())
        .filteredOn(entry -> entry.key().equals(spec.key()))
        .hasSize(1);
    laboratory.destroy(refs.iterator().next());
  }

  @Test
  void anotherInstanceAttachesToTheSameFiles() throws InterruptedException {
    var file = laboratory.folder().resolve("f");
    laboratory.write(file, "shared".getBytes(UTF_8));

    var attached = laboratory.another().attach(ExternalRef.of(laboratory.sandbox().ref().reveal()));

    assertThat(attached.ref()).isEqualTo(laboratory.sandbox().ref());
    assertThat(attached.project()).isEqualTo(laboratory.sandbox().project());
    assertThat(Laboratory.contentOf(attached, file)).asString(UTF_8).isEqualTo("shared");
    assertThat(Transcript.of(attached, cat(file)).succeeded().out()).isEqualTo("shared");
  }

  @Test
  void closingABackendLeavesItsSandboxes() throws InterruptedException {
    var file = laboratory.folder().resolve("f");
    laboratory.write(file, "kept".getBytes(UTF_8));

    var passing = laboratory.another();
    passing.attach(laboratory.sandbox().ref());
    passing.close();
    passing.close();

    assertThat(laboratory.content(file)).asString(UTF_8).isEqualTo("kept");
  }

  @Test
  void twoKeysAreTwoFileSystems() throws InterruptedException {
    var file = laboratory.folder().resolve("f");
    laboratory.write(file, "mine".getBytes(UTF_8));
    var other = laboratory.backend().acquire(laboratory.newSpec());
    var relative = file.value().substring(laboratory.sandbox().project().value().length() + 1);

    assertThat(other.ref()).isNotEqualTo(laboratory.sandbox().ref());
    assertThat(other.read(other.project().resolve(relative), 0, 1))
        .isEqualTo(new FileRead.Absent());
    laboratory.destroy(other.ref());
  }

  @Test
  void whatIsDestroyedIsGone() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    var ref = sandbox.ref();
    var file = sandbox.project().resolve("f");

    laboratory.destroy(ref);

    assertThat(laboratory.backend().release(ref)).as("again").isEqualTo(Release.DESTROYED);
    assertGone(() -> laboratory.backend().attach(ref));
    assertGone(() -> laboratory.another().attach(ref));
    assertGone(() -> sandbox.exec(cat(file), (_, _) -> {}));
    assertGone(() -> sandbox.read(file, 0, 1));
    assertGone(() -> sandbox.write(file, new byte[1], FileMode.KEEP));
  }

  /** Read-only directories and links must not keep a sandbox alive or lead the clean-up astray. */
  @Test
  void whateverLiesInASandboxItCanBeDestroyed() throws InterruptedException {
    var kept = laboratory.folder().resolve("kept");
    laboratory.write(kept, new byte[1]);
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    var script =
        "mkdir -p a/b deep; echo > a/b/f; chmod 000 a/b; chmod 555 a; mkfifo p; ln -s / root;"
            + " ln -s loop loop; ln -s '"
            + kept.value()
            + "' out; : > '-rf'; cd deep;"
            + " i=0; while [ $i -lt 200 ]; do mkdir 0123456789012345678901234567890123456789;"
            + " cd 0123456789012345678901234567890123456789 || exit 1; i=$((i+1)); done";
    Transcript.of(sandbox, Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE));

    laboratory.destroy(sandbox.ref());

    assertGone(() -> laboratory.backend().attach(sandbox.ref()));
    assertThat(laboratory.backend().list(laboratory.installation()).entries())
        .extracting(InventoryEntry::ref)
        .doesNotContain(sandbox.ref());
    assertThat(laboratory.content(kept)).hasSize(1);
  }

  /** What a release keeps is files; of what ran, nothing goes on. */
  @Test
  void whatIsReleasedIsGoneOrSleeps() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    var script =
        "(while :; do echo x >> beat; sleep 0.1; done) >/dev/null 2>&1 &"
            + " until [ -s beat ]; do sleep 0.05; done";
    var command = Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE);
    assertThat(Transcript.of(sandbox, command).code()).isZero();

    switch (laboratory.backend().release(sandbox.ref())) {
      case DESTROYED -> {
        assertThat(laboratory.backend().release(sandbox.ref())).isEqualTo(Release.DESTROYED);
        assertGone(() -> laboratory.another().attach(sandbox.ref()));
        assertGone(() -> sandbox.exec(command, (_, _) -> {}));
      }
      case HIBERNATED -> {
        var woken = ((Hibernator) laboratory.backend()).wake(sandbox.ref());
        var compared = "a=$(wc -c < beat); sleep 1; b=$(wc -c < beat); [ $b -eq $a ]";
        var still = Laboratory.script(woken.project(), compared, Laboratory.PATIENCE);
        assertThat(Transcript.of(woken, still).code()).isZero();
      }
    }
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void destroyingEndsWhatRuns() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());
    var going = new CountDownLatch(1);
    var ended = new AtomicReference<Object>();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                var command =
                    Laboratory.script(sandbox.project(), "echo go; sleep 120", Laboratory.PATIENCE);
                ended.set(sandbox.exec(command, (_, _) -> going.countDown()));
              } catch (InterruptedException | BackendException it) {
                ended.set(it);
              }
            });
    assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();

    laboratory.destroy(sandbox.ref());

    assertThat(caller.join(Duration.ofSeconds(15))).isTrue();
    assertThat(ended.get())
        .as("neither a success nor a timeout")
        .isInstanceOfAny(
            BackendException.SandboxGone.class, Outcome.Signalled.class, Outcome.Unknown.class);
  }

  private static Command cat(SandboxPath file) {
    return Command.of(List.of("cat", file.value()), new SandboxPath("/"), Laboratory.PATIENCE);
  }

  private static void assertGone(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(BackendException.SandboxGone.class);
  }
}
