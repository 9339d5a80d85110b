package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.CountDownLatch;
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

  @Test
  void whoRunsOutOfMemoryIsToldSoAndItsOutputIsKept() throws InterruptedException {
    var ran = run(laboratory.sandbox(), "echo before; echo err >&2; " + HOG + "; echo after");

    assertThat(ran.outcome()).isEqualTo(new Outcome.OutOfMemory());
    assertThat(ran.out()).startsWith("before\n1\n2\n").doesNotContain("after");
    assertThat(ran.err()).isEqualTo("err\n");
  }

  /** Also what left the tree, and whoever waits for what is ended gets to no next step. */
  @Test
  void itsWholeTreeEnds() throws InterruptedException {
    var heart = new Heartbeat(laboratory);
    var script =
        "(setsid %s >/dev/null 2>&1 </dev/null &); %s; (%s); echo > late"
            .formatted(heart.starts(), heart.started(), HOG);

    var ran = laboratory.shell(heart.folder(), script);

    assertThat(ran.outcome()).isEqualTo(new Outcome.OutOfMemory());
    assertThat(heart.beats()).isFalse();
    assertThat(laboratory.shell(heart.folder(), "test -e late").code()).isEqualTo(1);
  }

  @Test
  void otherCommandsOfTheSandboxGoOn() throws Exception {
    var heart = new Heartbeat(laboratory);
    var going = new CountDownLatch(1);
    var sandbox = laboratory.sandbox();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var modest =
          Laboratory.script(heart.folder(), "echo go; " + heart.starts(), Laboratory.PATIENCE);
      Future<Outcome> other =
          threads.submit(() -> sandbox.exec(modest, (_, _) -> going.countDown()));
      assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();

      assertThat(run(sandbox, HOG).outcome()).isEqualTo(new Outcome.OutOfMemory());

      assertThat(heart.beats()).isTrue();
      heart.stop();
      assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Exited(0, 0));
    }
    assertThat(run(sandbox, "echo next").succeeded().out()).isEqualTo("next\n");
  }

  @Test
  void aLargerSizeHoldsMoreAlsoForWhoeverAttachesAndOnceWoken() throws InterruptedException {
    var small = held(laboratory.sandbox());
    var larger = laboratory.backend().acquire(laboratory.newSpec(Size.STANDARD));

    assertThat(held(larger)).isGreaterThan(small * 4 / 3);
    assertThat(held(laboratory.another().attach(larger.ref()))).isGreaterThan(small * 4 / 3);
    if (laboratory.backend() instanceof Hibernator hibernator) {
      assertThat(laboratory.backend().release(larger.ref())).isEqualTo(Release.HIBERNATED);
      assertThat(held(hibernator.wake(larger.ref()))).isGreaterThan(small * 4 / 3);
    }
    laboratory.destroy(larger.ref());
  }
}
