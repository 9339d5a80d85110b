package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** However much a command prints, all of it arrives and memory stays bounded. */
abstract class VolumePromises {

  private static final int MEBIBYTE = 1024 * 1024;
  private static final Duration LONG = Duration.ofMinutes(3);

  private final Laboratory laboratory;

  VolumePromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 28 */
  @Test
  void sixtyFourMebibytesPassInConstantMemory() throws InterruptedException {
    var project = laboratory.sandbox().project();
    var counted = new AtomicLong();
    var sampled = new AtomicLong();
    var most = new AtomicLong();
    var before = usedHeap();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(project, "head -c 67108864 /dev/zero", LONG),
                (_, bytes) -> {
                  if (counted.addAndGet(bytes.remaining()) / (8 * MEBIBYTE) > sampled.get()) {
                    sampled.incrementAndGet();
                    most.accumulateAndGet(usedHeap(), Math::max);
                  }
                });

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(counted).hasValue(64L * MEBIBYTE);
    assertThat(most.get() - before).isLessThan(32L * MEBIBYTE);
  }

  @Test
  void aSlowSinkSlowsTheCommand() throws InterruptedException {
    var folder = laboratory.folder();
    var heldUp = new AtomicLong();
    var counted = new AtomicLong();
    var before = usedHeap();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(folder, "head -c 67108864 /dev/zero; echo > finished", LONG),
                (_, bytes) -> {
                  if (counted.getAndAdd(bytes.remaining()) == 0) {
                    pause(Duration.ofSeconds(2));
                    heldUp.set(usedHeap() - before);
                    assertThat(isFile(folder.resolve("finished")))
                        .as("all was swallowed")
                        .isFalse();
                  }
                });

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(counted).hasValue(64L * MEBIBYTE);
    assertThat(heldUp.get()).isLessThan(32L * MEBIBYTE);
  }

  /** case 13 */
  @Test
  void aSlowReaderMissesNothing() throws InterruptedException {
    var last = new byte[8];
    var counted = new AtomicLong();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(laboratory.sandbox().project(), "seq 1 2000000", LONG),
                (_, bytes) -> {
                  var size = bytes.remaining();
                  if (counted.getAndAdd(size) < MEBIBYTE) {
                    pause(Duration.ofMillis(10));
                  }
                  var kept = Math.min(size, last.length);
                  System.arraycopy(last, kept, last, 0, last.length - kept);
                  bytes.get(bytes.limit() - kept, last, last.length - kept, kept);
                });

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(counted).hasValue(14_888_896L);
    assertThat(new String(last, java.nio.charset.StandardCharsets.US_ASCII)).isEqualTo("2000000\n");
  }

  /** case 26 */
  @Test
  void oneChannelNeverWaitsForTheOther() throws InterruptedException {
    var first = laboratory.shell("head -c 1000000 /dev/zero | tr '\\0' e >&2; echo ok");
    var second = laboratory.shell("head -c 1000000 /dev/zero | tr '\\0' o; echo ok >&2");

    assertThat(first.succeeded().out()).isEqualTo("ok\n");
    assertThat(first.stderr()).hasSize(1_000_000);
    assertThat(second.succeeded().err()).isEqualTo("ok\n");
    assertThat(second.stdout()).hasSize(1_000_000);
  }

  /** case 53 */
  @Test
  void theExitAfterMuchOutputIsTheCommandsOwn() throws InterruptedException {
    var counted = new AtomicLong();
    var tail = new StringBuilder();

    var outcome =
        laboratory
            .sandbox()
            .exec(
                Laboratory.script(
                    laboratory.sandbox().project(),
                    "head -c 20000000 /dev/zero | tr '\\0' x; echo END >&2; exit 7",
                    LONG),
                (channel, bytes) -> {
                  if (channel == OutputSink.Channel.STDOUT) {
                    counted.addAndGet(bytes.remaining());
                  } else {
                    while (bytes.hasRemaining()) {
                      tail.append((char) bytes.get());
                    }
                  }
                });

    assertThat(outcome).isEqualTo(new Outcome.Exited(7, 0));
    assertThat(counted).hasValue(20_000_000L);
    assertThat(tail).hasToString("END\n");
  }

  private boolean isFile(SandboxPath path) {
    try {
      return laboratory.sandbox().read(path, 0, 1) instanceof FileRead.Content;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void pause(Duration time) {
    try {
      assertThat(new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is reachable, as near as a collection tells. */
  private static long usedHeap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
