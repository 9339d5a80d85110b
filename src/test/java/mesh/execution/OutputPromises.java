package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ReadOnlyBufferException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Output arrives exactly, in order, under its own channel. */
abstract class OutputPromises {

  private final Laboratory laboratory;

  OutputPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** cases 38 and 124 */
  @Test
  void eachChannelHasItsOwnOutputInOrder() throws InterruptedException {
    var ran = laboratory.shell("echo 1; echo 2 >&2; echo 3; echo 4 >&2; exit 42");

    assertThat(ran.code()).isEqualTo(42);
    assertThat(ran.out()).isEqualTo("1\n3\n");
    assertThat(ran.err()).isEqualTo("2\n4\n");
    assertThat(laboratory.shell("{ echo 1; echo 2 >&2; echo 3; } 2>&1").out())
        .isEqualTo("1\n2\n3\n");
  }

  /** case 27 */
  @Test
  void aLastLineNeedsNoNewline() throws InterruptedException {
    assertThat(laboratory.run("printf", "abc").succeeded().out()).isEqualTo("abc");
    assertThat(laboratory.shell("printf abc; printf def >&2; exit 3"))
        .satisfies(ran -> assertThat(ran.code()).isEqualTo(3))
        .satisfies(ran -> assertThat(ran.out()).isEqualTo("abc"))
        .satisfies(ran -> assertThat(ran.err()).isEqualTo("def"));
  }

  /** cases 32 and 69 */
  @Test
  void everyByteValueArrivesAsItIs() throws InterruptedException {
    var all = new byte[256];
    for (var value = 0; value < all.length; value++) {
      all[value] = (byte) value;
    }
    var file = laboratory.folder().resolve("all");
    laboratory.write(file, all);

    assertThat(laboratory.run("cat", file.value()).succeeded().stdout()).isEqualTo(all);
    assertThat(laboratory.shell("cat " + file.value() + " >&2").succeeded().stderr())
        .isEqualTo(all);
    assertThat(laboratory.run("printf", "a\\000b\\n").succeeded().stdout())
        .containsExactly('a', 0, 'b', '\n');
  }

  /** case 16 */
  @Test
  void aCharacterWrittenInPartsComesTogether() throws InterruptedException {
    var ran =
        laboratory.shell(
            "printf 'caf\\303'; sleep 0.4; printf '\\251\\342\\230'; sleep 0.4; printf '\\225\\n'");

    assertThat(ran.succeeded().out()).isEqualTo("café☕\n");
  }

  /** case 16 */
  @Test
  void manyCharactersOfSeveralBytesComeTogether() throws InterruptedException {
    var cups = "☕".repeat(70_000);
    var file = laboratory.folder().resolve("cups");
    laboratory.write(file, cups.getBytes(UTF_8));

    assertThat(laboratory.run("cat", file.value()).succeeded().out()).isEqualTo(cups);
  }

  @Test
  void outputArrivesWhileTheCommandRuns() throws InterruptedException {
    var go = laboratory.folder().resolve("go");
    var freed = new AtomicBoolean();

    // Ends only if its first line was seen while it ran.
    var command =
        Laboratory.script(
            laboratory.sandbox().project(),
            "echo ready; until [ -e " + go.value() + " ]; do sleep 0.1; done",
            Laboratory.PATIENCE);
    var outcome =
        laboratory
            .sandbox()
            .exec(
                command,
                (_, _) -> {
                  if (freed.compareAndSet(false, true)) {
                    touch(go);
                  }
                });

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 0));
  }

  private void touch(SandboxPath file) {
    try {
      laboratory.write(file, new byte[0]);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void theSinkIsCalledOnTheCallingThreadAlone() throws InterruptedException {
    Set<Thread> threads = new HashSet<>();
    var command =
        Laboratory.script(
            laboratory.sandbox().project(),
            "echo a; echo b >&2; sleep 0.2; echo c; echo d >&2",
            Laboratory.PATIENCE);

    laboratory.sandbox().exec(command, (_, _) -> threads.add(Thread.currentThread()));

    assertThat(threads).containsExactly(Thread.currentThread());
  }

  @Test
  void theSinkCannotWriteToWhatItIsGiven() throws InterruptedException {
    var readOnly = new AtomicBoolean();
    var command = Laboratory.script(laboratory.sandbox().project(), "echo a", Laboratory.PATIENCE);

    laboratory
        .sandbox()
        .exec(
            command,
            (_, bytes) -> {
              try {
                bytes.put(0, (byte) 0);
              } catch (ReadOnlyBufferException _) {
                readOnly.set(true);
              }
            });

    assertThat(readOnly).isTrue();
  }
}
