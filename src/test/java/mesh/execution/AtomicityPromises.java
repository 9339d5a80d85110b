package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A reader sees the old content or the new, never a mixture or a part. */
abstract class AtomicityPromises {

  private static final int SIZE = 1_000_000;

  private final Laboratory laboratory;

  AtomicityPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 70 */
  @Test
  void manyWritesAtOnceNeverMix() throws InterruptedException, ExecutionException {
    var folder = laboratory.folder();
    var file = folder.resolve("f");
    laboratory.write(file, filled('a'));
    var done = new AtomicBoolean();
    var go = new CountDownLatch(1);

    try (var threads = Executors.newCachedThreadPool()) {
      var reader = threads.submit(() -> readUntil(done, file));
      var writers = new ArrayList<Future<FileWrite>>();
      for (var i = 0; i < 20; i++) {
        var content = filled(i % 2 == 0 ? 'a' : 'b');
        writers.add(
            threads.submit(() -> {
              go.await();
              return laboratory.write(file, content);
            }));
      }
      go.countDown();
      try {
        for (var writer : writers) {
          assertThat(writer.get()).isEqualTo(new FileWrite.Written(SIZE));
        }
      } finally {
        done.set(true);
      }
      assertThat(reader.get()).isPositive();
    }

    assertThat(isWhole(laboratory.content(file))).isTrue();
    assertThat(laboratory.shell(folder, "ls -A").out()).as("nothing else is left").isEqualTo("f\n");
  }

  /** As {@link #manyWritesAtOnceNeverMix}, seen by a process in the sandbox. */
  @Test
  void aCommandNeverSeesAPart() throws InterruptedException, ExecutionException {
    var folder = laboratory.folder();
    var file = folder.resolve("f");
    laboratory.write(file, filled('a'));
    var script =
        "echo; for i in $(seq 200); do n=$(wc -c < f) || exit 2; [ $n = "
            + SIZE
            + " ] || exit 3;"
            + " done";

    try (var threads = Executors.newCachedThreadPool()) {
      var reader = threads.submit(() -> laboratory.shell(folder, script));
      for (var i = 0; i < 20; i++) {
        laboratory.write(file, filled(i % 2 == 0 ? 'a' : 'b'));
      }
      assertThat(reader.get().code()).isZero();
    }
  }

  private int readUntil(AtomicBoolean done, SandboxPath file) throws InterruptedException {
    var reads = 0;
    do {
      assertThat(isWhole(laboratory.content(file))).as("a mixture or a part was read").isTrue();
      reads++;
    } while (!done.get());
    return reads;
  }

  private static byte[] filled(char with) {
    var content = new byte[SIZE];
    Arrays.fill(content, (byte) with);
    return content;
  }

  private static boolean isWhole(byte[] content) {
    return Arrays.equals(content, filled('a')) || Arrays.equals(content, filled('b'));
  }
}
