package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** At its timeout and on a cancel a command's whole process tree ends. */
abstract class EndingPromises {

  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(8);

  private final Laboratory laboratory;

  EndingPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** cases 3 and 54 */
  @Test
  void atItsTimeoutOutputSoFarIsKept() throws InterruptedException {
    var ran =
        laboratory.run(
            Laboratory.script(
                laboratory.sandbox().project(), "echo before; echo err >&2; sleep 60", SHORT));

    assertThat(ran.outcome()).isEqualTo(new Outcome.TimedOut());
    assertThat(ran.out()).isEqualTo("before\n");
    assertThat(ran.err()).isEqualTo("err\n");
    assertThat(ran.took()).isBetween(SHORT, GRACE);
  }

  /** case 3; also not because a child or a neighbour in a pipeline was ended first. */
  @Test
  void whatATimedOutCommandWasAboutToDoNeverHappens() throws InterruptedException {
    var folder = laboratory.folder();
    var script =
        "sh -c 'sleep 4; echo > late-child' & sleep 4 | (cat; echo > late-neighbour) &"
            + " (setsid sh -c 'sleep 4; echo > late-session' &); sleep 4; echo > late-leader";

    laboratory.run(Laboratory.script(folder, script, Duration.ofSeconds(1)));

    assertThat(laboratory.shell(folder, "sleep 5; ls").succeeded().out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s & wait",
        "setsid %s >/dev/null 2>&1 </dev/null & sleep 60",
        "(setsid %s >/dev/null 2>&1 </dev/null &) ; sleep 60",
        "(setsid nohup %s &) ; sleep 60",
        "trap '' TERM INT HUP; %s & while :; do sleep 1; done"
      })
  void atItsTimeoutTheWholeTreeEnds(String tree) throws InterruptedException {
    var heart = new Heartbeat(laboratory);

    var ran =
        laboratory.run(
            Laboratory.script(heart.folder(), String.format(tree, heart.starts()), SHORT));

    assertThat(ran.outcome()).isEqualTo(new Outcome.TimedOut());
    assertThat(ran.took()).isLessThan(GRACE);
    assertThat(heart.beats()).isFalse();
    assertThat(laboratory.shell(heart.folder(), "test -s beat").code()).as("it lived").isZero();
  }

  @Test
  void aSinkThatIsStuckDoesNotPutTheTimeoutOff() throws InterruptedException {
    var heart = new Heartbeat(laboratory);
    var beating = new AtomicReference<Boolean>();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(heart.folder(), "echo go; " + heart.starts(), SHORT),
                (_, _) -> beating.set(beatsAfter(SHORT.plusSeconds(2), heart)));

    assertThat(outcome).isEqualTo(new Outcome.TimedOut());
    assertThat(beating.get()).isFalse();
  }

  private static boolean beatsAfter(Duration time, Heartbeat heart) {
    try {
      assertThat(new CountDownLatch(1).await(time.toSeconds(), TimeUnit.SECONDS)).isFalse();
      return heart.beats();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Test
  void anInterruptEndsTheTree() throws InterruptedException {
    var heart = new Heartbeat(laboratory);
    var script = "setsid " + heart.starts() + " & " + heart.started() + "; echo go; sleep 60";
    var thrown = new AtomicReference<Throwable>();
    var going = new CountDownLatch(1);
    var sandbox = laboratory.sandbox();
    var caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                sandbox.exec(
                    Laboratory.script(heart.folder(), script, Laboratory.PATIENCE),
                    (_, _) -> going.countDown());
              } catch (Throwable it) {
                thrown.set(it);
              }
            });

    assertThat(going.await(20, TimeUnit.SECONDS)).isTrue();
    caller.interrupt();

    assertThat(caller.join(GRACE)).isTrue();
    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(heart.beats()).isFalse();
  }

  /** case 119 */
  @Test
  void anInterruptThatCameFirstIsNotLost() throws InterruptedException {
    var folder = laboratory.folder();
    var command = Laboratory.script(folder, "sleep 2; echo > ran", Laboratory.PATIENCE);
    var sandbox = laboratory.sandbox();

    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> sandbox.exec(command, (_, _) -> {}))
        .isInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).as("the interrupt was taken").isFalse();
    assertThat(laboratory.shell(folder, "sleep 3; test -e ran").code()).isEqualTo(1);
  }

  @Test
  void aSinkThatThrowsEndsTheTree() throws InterruptedException {
    var heart = new Heartbeat(laboratory);
    var script = "setsid " + heart.starts() + " & " + heart.started() + "; echo go; sleep 60";
    var fault = new IllegalStateException("enough");
    var sandbox = laboratory.sandbox();

    assertThatThrownBy(() ->
            sandbox.exec(
                Laboratory.script(heart.folder(), script, Laboratory.PATIENCE),
                (_, _) -> {
                  throw fault;
                }))
        .isSameAs(fault);

    assertThat(heart.beats()).isFalse();
  }

  @Test
  void aChildOfAnEarlierCommandOutlivesTheTimeoutOfALaterOne() throws InterruptedException {
    var heart = new Heartbeat(laboratory);
    laboratory.shell(heart.folder(), heart.starts() + " >/dev/null 2>&1 &").succeeded();

    laboratory.run(Laboratory.script(heart.folder(), "sleep 60", Duration.ofSeconds(1)));

    assertThat(heart.beats()).isTrue();
    heart.stop();
  }
}
