package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SNP-5, WSP-6, case 126: who hangs takes nobody's time, and what one leaves is the others'. */
@Timeout(30)
class TimeSharesTest {

  @Test
  void eachHasItsShareInTheOrderOfNames() throws InterruptedException {
    var never = new CountDownLatch(1);
    var ran = new ArrayList<String>();
    var late = new ArrayList<String>();
    var work = new TreeMap<String, TimeShares.Work>();
    work.put("b", () -> ran.add("b"));
    work.put("a", never::await);
    work.put("d", () -> ran.add("d"));
    work.put("c", never::await);
    long begun = System.nanoTime();

    new TimeShares(Duration.ofMillis(800)).run(work, late::add);

    assertThat(ran).containsExactly("b", "d");
    assertThat(late).containsExactly("a", "c");
    assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
  }

  /** The first three need nothing: the last has nearly all of it. */
  @Test
  void unusedTimeRollsForward() throws InterruptedException {
    var had = new ArrayList<Long>();
    var work = new TreeMap<String, TimeShares.Work>();
    for (var name : new String[] {"a", "b", "c"}) {
      work.put(name, () -> {});
    }
    work.put(
        "d",
        () -> {
          long begun = System.nanoTime();
          try {
            new CountDownLatch(1).await();
          } finally {
            had.add(System.nanoTime() - begun);
          }
        });

    new TimeShares(Duration.ofSeconds(1)).run(work, _ -> {});

    assertThat(had.getFirst()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(800));
  }

  @Test
  void whoeverInterruptsTheWholeEndsTheWhole() {
    var ran = new ArrayList<String>();
    var work = new TreeMap<String, TimeShares.Work>();
    work.put(
        "a",
        () -> {
          throw new InterruptedException();
        });
    work.put("b", () -> ran.add("b"));

    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> new TimeShares(Duration.ofSeconds(1)).run(work, _ -> {}))
        .isInstanceOf(InterruptedException.class);
    assertThat(ran).isEmpty();
  }
}
