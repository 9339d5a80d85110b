package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who uses more memory than the sandbox has is told so and ends alone; a larger size has more. */
abstract class SizePromises {

  /**
   * A line of shell that takes 4 MiB after another, not faster than a few hundred MiB a second, and
   * prints a line for each. It stops by itself at 16 GiB.
   */
  private static final String HOG =
      "ulimit -v 16777216; c=$(head -c 4194304 /dev/zero | tr '\\0' x); i=0;"
          + " while :; do eval \"v$i=\\$c\"; i=$((i+1)); echo $i; sleep 0.01; done";

  private final Laboratory laboratory;

  SizePromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @BeforeEach
  void onlyWhereThereIsSuchAThing() {
    assumeTrue(laboratory.backend() instanceof Sized, "this backend has no sizes");
  }

  private static Transcript run(Sandbox sandbox, String script) throws InterruptedException {
    return Transcript.of(
        sandbox, Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE));
  }

  /** How many lines a hog prints before it has run out of memory. */
  private static long held(Sandbox sandbox) throws InterruptedException {
    var ran = run(sandbox, HOG);
    assertThat(ran.outcome()).isEqualTo(new Outcome.OutOfMemory());
    return ran.out().lines().count();
  }

  /** Each with a sandbox of its own, which may end with whoever runs out. */
  private Sandbox sandbox() throws InterruptedException {
    return laboratory.backend().acquire(laboratory.newSpec());
  }

  private boolean isGone(Sandbox sandbox) throws InterruptedException {
    try {
      var _ = laboratory.another().attach(sandbox.ref());
      return false;
    } catch (BackendException.SandboxGone gone) {
      return true;
    }
  }

  @Test
  void whoRunsOutOfMemoryIsToldSoAndItsOutputIsKept() throws InterruptedException {
    var sandbox = sandbox();

    var ran = run(sandbox, "echo before; echo err >&2; " + HOG + "; echo after");

    assertThat(ran.outcome()).isEqualTo(new Outcome.OutOfMemory());
    assertThat(ran.out()).startsWith("before\n1\n2\n").doesNotContain("after");
    assertThat(ran.err()).startsWith("err\n");
    laboratory.destroy(sandbox.ref());
  }

  /** Also what left the tree, and whoever waits for what is ended gets to no next step. */
  @Test
  void itsWholeTreeEnds() throws InterruptedException {
    var sandbox = sandbox();
    var beat = "while :; do echo x >> beat; sleep 0.1; done";
    var script =
        "(setsid sh -c '%s' >/dev/null 2>&1 </dev/null &); until [ -s beat ]; do sleep 0.05; done; (%s); echo > late"
            .formatted(beat, HOG);

    assertThat(run(sandbox, script).outcome()).isEqualTo(new Outcome.OutOfMemory());

    if (!isGone(sandbox)) {
      var still = "a=$(wc -c < beat); sleep 1; b=$(wc -c < beat); [ $b -eq $a ] && [ ! -e late ]";
      assertThat(run(sandbox, still).code()).isZero();
    }
    laboratory.destroy(sandbox.ref());
  }

  /** Unless the sandbox ended, and then they end and nobody takes that for a success. */
  @Test
  void otherCommandsOfTheSandboxGoOn() throws Exception {
    var sandbox = sandbox();
    var going = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var script = "echo go; until [ -e stop ]; do sleep 0.05; done";
      var modest = Laboratory.script(sandbox.project(), script, Laboratory.PATIENCE);
      Future<Outcome> other =
          threads.submit(() -> sandbox.exec(modest, (_, _) -> going.countDown()));
      assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(run(sandbox, HOG).outcome()).isEqualTo(new Outcome.OutOfMemory());

      if (isGone(sandbox)) {
        assertThat(endOf(other)).isIn("gone", new Outcome.OutOfMemory());
      } else {
        assertThat(run(sandbox, "touch stop").code()).isZero();
        assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Exited(0, 0));
        assertThat(run(sandbox, "echo next").succeeded().out()).isEqualTo("next\n");
      }
    }
    laboratory.destroy(sandbox.ref());
  }

  private static Object endOf(Future<Outcome> command) throws Exception {
    try {
      return command.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException failed) {
      return failed.getCause() instanceof BackendException.SandboxGone ? "gone" : failed;
    }
  }

  @Test
  void aLargerSizeHoldsMoreAlsoForWhoeverAttachesAndOnceWoken() throws InterruptedException {
    // The least of a few: a limit that is seen to a little late lets more through.
    long small = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      var first = sandbox();
      small = Math.min(small, held(first));
      laboratory.destroy(first.ref());
    }
    var larger = laboratory.backend().acquire(laboratory.newSpec(Size.STANDARD));

    assertThat(held(laboratory.another().attach(larger.ref()))).isGreaterThan(small * 4 / 3);
    if (!isGone(larger)) {
      assertThat(held(larger)).isGreaterThan(small * 4 / 3);
    }
    if (laboratory.backend() instanceof Hibernator hibernator) {
      assertThat(laboratory.backend().release(larger.ref())).isEqualTo(Release.HIBERNATED);
      assertThat(held(hibernator.wake(larger.ref()))).isGreaterThan(small * 4 / 3);
    }
    laboratory.destroy(larger.ref());
  }
}
