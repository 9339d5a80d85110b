package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Children left in the background neither hold a command up nor die with it. */
abstract class BackgroundPromises {

  private static final Duration SOON = Duration.ofSeconds(3);

  /**
   * Faster than a sink that takes 20 ms, but no flood: what a flood puts into the network before
   * the command's end is noticed takes such a sink longer than any bound.
   */
  private static final String TALK = "while :; do echo talk; sleep 0.005; done";

  private final Laboratory laboratory;

  BackgroundPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 2; the half second matters: without it a quick exit may hide the fault. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 0.5; sleep 20 & echo done",
        "sleep 0.5; sleep 20 >/dev/null & echo done",
        "sleep 0.5; sleep 20 2>/dev/null & echo done",
        "sleep 20 & echo done"
      })
  void aChildThatHoldsAPipeDoesNotHoldTheCommand(String script) throws InterruptedException {
    var ran = laboratory.shell(script);

    assertThat(ran.succeeded().out()).isEqualTo("done\n");
    assertThat(ran.took()).isLessThan(SOON);
    assertThat(((Outcome.Exited) ran.outcome()).stillRunning()).isBetween(0, 2);
  }

  /** case 2, the child that never stops talking, to a sink that cannot keep up */
  @Test
  void aChildThatGoesOnTalkingDoesNotHoldTheCommand() throws InterruptedException {
    var first = new AtomicInteger(-1);
    var start = System.nanoTime();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(
                    laboratory.sandbox().project(),
                    "echo first; sleep 0.3; timeout 18 sh -c '" + TALK + "' & exit 4",
                    Laboratory.PATIENCE),
                (_, bytes) -> {
                  first.compareAndSet(-1, bytes.get(0));
                  LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
                });

    assertThat(outcome)
        .isInstanceOfSatisfying(Outcome.Exited.class, it -> assertThat(it.code()).isEqualTo(4));
    assertThat(first).hasValue('f');
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(14));
  }

  @Test
  void whatAChildPrintsDuringTheDrainIsDelivered() throws InterruptedException {
    var ran = laboratory.shell("(sleep 0.3; echo late) & echo early");

    assertThat(ran.succeeded().out()).isEqualTo("early\nlate\n");
  }

  @Test
  void aChildOutlivesItsCommandAndIsSeenByTheNext() throws InterruptedException {
    var heart = new Heartbeat(laboratory);

    laboratory.shell(heart.folder(), heart.starts() + " >/dev/null 2>&1 &").succeeded();

    assertThat(heart.beats()).isTrue();
    heart.stop();
    assertThat(heart.beats()).isFalse();
  }

  @Test
  void aChildGoesOnAfterItsPipeWasLetGo() throws InterruptedException {
    var folder = laboratory.folder();

    // More than a pipe holds, after the drain: neither a broken pipe nor a full one may stop it.
    laboratory
        .shell(folder, "(sleep 2; head -c 300000 /dev/zero; echo $? > finished) & echo started")
        .succeeded();

    var finished =
        laboratory.shell(
            folder,
            "for i in 1 2 3 4 5 6 7 8 9; do "
                + "[ -s finished ] && break; sleep 1; done; cat finished");
    assertThat(finished.succeeded().out()).isEqualTo("0\n");
  }

  /** case 62 */
  @Test
  void aCommandThatNeverEndsDoesNotBlockTheNext() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var project = laboratory.sandbox().project();
      var wedged =
          threads.submit(() ->
              laboratory.run(Laboratory.script(project, "echo; sleep 60", Duration.ofSeconds(5))));

      var ran = laboratory.run("echo", "ok");

      assertThat(ran.succeeded().out()).isEqualTo("ok\n");
      assertThat(ran.took()).isLessThan(SOON);
      assertThat(wedged.get().outcome()).isEqualTo(new Outcome.TimedOut());
    }
  }

  /** case 38 */
  @Test
  void manyCommandsRunAtOnceAndKeepTheirOutputApart() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<Transcript>>();
      for (var i = 0; i < 24; i++) {
        Callable<Transcript> one = shell("echo o" + i + "; echo e" + i + " >&2; exit " + i);
        running.add(threads.submit(one));
      }

      for (var i = 0; i < running.size(); i++) {
        var ran = get(running.get(i));
        assertThat(ran.code()).isEqualTo(i);
        assertThat(ran.out()).isEqualTo("o" + i + "\n");
        assertThat(ran.err()).isEqualTo("e" + i + "\n");
      }
    }
  }

  private Callable<Transcript> shell(String script) {
    return () -> laboratory.shell(script);
  }

  private static Transcript get(Future<Transcript> ran)
      throws InterruptedException, ExecutionException {
    return ran.get();
  }
}
