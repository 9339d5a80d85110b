package mesh.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CancellationTest {

  private final Cancellation cancellation = new Cancellation();

  @Test
  void interruptsTheToolAndSaysWhy() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var other =
        Thread.ofVirtual()
            .start(() -> {
              try {
                begun.await();
              } catch (InterruptedException e) {
                return;
              }
              cancellation.cancel("first");
              cancellation.cancel("second");
            });

    assertThatThrownBy(() ->
            cancellation.cancellable(() -> {
              begun.countDown();
              new CountDownLatch(1).await();
              return "";
            }))
        .isInstanceOf(InterruptedException.class);

    other.join();
    assertThat(cancellation.why()).contains("first");
  }

  @Test
  void keepsFromBeginningWhatWasCancelledBefore() {
    cancellation.cancel("early");

    assertThatThrownBy(() ->
            cancellation.cancellable(() -> {
              throw new AssertionError("it began");
            }))
        .isInstanceOf(InterruptedException.class);
  }

  @Test
  void reachesNothingThatComesAfterTheTool() throws InterruptedException {
    // The tool had its result when the cancel came.
    var result =
        cancellation.cancellable(() -> {
          cancellation.cancel("late");
          return "done";
        });

    assertThat(result).isEqualTo("done");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    cancellation.cancel("later");
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void whatBreaksBecauseOfTheInterruptWasCancelled() {
    assertThatThrownBy(() ->
            cancellation.cancellable(() -> {
              cancellation.cancel("now");
              throw new IllegalStateException("the connection was closed by an interrupt");
            }))
        .isInstanceOf(InterruptedException.class)
        .hasRootCauseMessage("the connection was closed by an interrupt");
    assertThatThrownBy(() ->
            new Cancellation()
                .cancellable(() -> {
                  throw new IllegalStateException("broken");
                }))
        .hasMessage("broken");
  }

  @Test
  void aRefusalStaysOne() {
    assertThatThrownBy(() ->
            cancellation.cancellable(() -> {
              cancellation.cancel("now");
              throw new ToolRefusal.RunOver();
            }))
        .isInstanceOf(ToolRefusal.RunOver.class);
  }
}
