package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import mesh.execution.catalog.BackendName;
import mesh.tool.ToolRefusal;
import mesh.workspace.DeliveryTurns.Turn;
import org.junit.jupiter.api.Test;

class DeliveryTurnsTest {

  private static final BackendName ONE = new BackendName("one");
  private static final BackendName OTHER = new BackendName("other");

  @Test
  void aRuntimeWhoseVendorHangsLeavesTurnsToTheOthers() throws InterruptedException {
    var turns = new DeliveryTurns(8, Duration.ofMillis(20));
    for (int i = 0; i < 6; i++) {
      var _ = turns.take(ONE);
    }

    assertThatThrownBy(() -> turns.take(ONE))
        .isInstanceOfSatisfying(
            ToolRefusal.TryLater.class,
            refusal -> assertThat(refusal.code()).isEqualTo("deliveries_busy"));
    var _ = turns.take(OTHER);
    var last = turns.take(OTHER);
    assertThatThrownBy(() -> turns.take(OTHER)).isInstanceOf(ToolRefusal.TryLater.class);
    last.close();
    turns.take(OTHER).close();
  }

  @Test
  void whoDidNotGetATurnTookNone() throws InterruptedException {
    var turns = new DeliveryTurns(3, Duration.ofMillis(20));
    var taken = new ArrayList<Turn>();
    taken.add(turns.take(ONE));
    taken.add(turns.take(OTHER));
    taken.add(turns.take(new BackendName("third")));
    var fourth = new BackendName("fourth");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> turns.take(fourth)).isInstanceOf(ToolRefusal.TryLater.class);
    }

    taken.forEach(Turn::close);

    turns.take(fourth).close();
  }

  @Test
  void whoWaitsIsNextAndCanBeInterrupted() throws InterruptedException {
    var turns = new DeliveryTurns(3, Duration.ofMinutes(1));
    var first = turns.take(ONE);
    var waiting = new CountDownLatch(1);
    var ended = new AtomicReference<Throwable>();
    var thread =
        Thread.ofVirtual()
            .start(() -> {
              waiting.countDown();
              try {
                turns.take(ONE).close();
              } catch (InterruptedException e) {
                ended.set(e);
              }
            });
    waiting.await();

    thread.interrupt();
    thread.join();

    assertThat(ended.get()).isInstanceOf(InterruptedException.class);
    first.close();
    turns.take(ONE).close();
  }
}
