package mesh.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import mesh.Await;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;

class BoundedCheckTest {

  @Test
  void oneThatHangsHangsNobodyAndIsAskedOnce() throws Exception {
    var asked = new AtomicInteger();
    var answer = new CountDownLatch(1);
    var check =
        new BoundedCheck(
            "hanging",
            () -> {
              asked.incrementAndGet();
              answer.await();
              return Map.of();
            });
    long began = System.nanoTime();

    try (var probes = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = IntStream.range(0, 50).mapToObj(_ -> probes.submit(() -> check.health())).toList();
      for (var one : all) {
        assertThat(one.get().getStatus()).isEqualTo(Status.DOWN);
        assertThat(one.get().getDetails()).containsEntry("why", "no answer within 2 s");
      }
    }

    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isLessThan(BoundedCheck.PATIENCE.plusSeconds(2));
    assertThat(asked).hasValue(1);
    // Once it is known to hang, nobody waits for it any more.
    long again = System.nanoTime();
    assertThat(check.health().getStatus()).isEqualTo(Status.DOWN);
    assertThat(Duration.ofNanos(System.nanoTime() - again)).isLessThan(Duration.ofSeconds(1));

    answer.countDown();
    Await.until(Duration.ofSeconds(5), () -> check.health().getStatus(), Status.UP::equals);
  }

  @Test
  void anAnswerIsGoodForAMomentHoweverManyAsk() {
    var asked = new AtomicInteger();
    var check =
        new BoundedCheck(
            "counted",
            () -> {
              asked.incrementAndGet();
              return Map.of();
            });
    long began = System.nanoTime();

    for (int i = 0; i < 1_000; i++) {
      assertThat(check.health().getStatus()).isEqualTo(Status.UP);
    }

    var seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
    assertThat((long) asked.get()).isLessThanOrEqualTo(1 + seconds);
  }
}
