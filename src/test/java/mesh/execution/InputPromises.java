package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Standard input is closed, or what was given and then closed. */
abstract class InputPromises {

  private static final Duration AT_ONCE = Duration.ofSeconds(3);

  private final Laboratory laboratory;

  InputPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 17 */
  @Test
  void aCommandWithoutInputReadsItsEndAtOnce() throws InterruptedException {
    var cat = laboratory.run("cat");

    assertThat(cat.succeeded().out()).isEmpty();
    assertThat(cat.took()).isLessThan(AT_ONCE);
    assertThat(laboratory.shell("read x; echo rc=$?").out()).isEqualTo("rc=1\n");
    assertThat(laboratory.shell("grep foo").code()).isEqualTo(1);
  }

  @Test
  void inputArrivesAndThenEnds() throws InterruptedException {
    var ran = laboratory.run(fed("é☕\nno newline".getBytes(UTF_8), "cat"));

    assertThat(ran.succeeded().out()).isEqualTo("é☕\nno newline");
  }

  /** case 99 */
  @Test
  void theLargestInputArrivesWholeWhileOutputFlowsBack() throws InterruptedException {
    var input = new byte[Command.MAX_STDIN_BYTES];
    new Random(1).nextBytes(input);

    var ran = laboratory.run(fed(input, "cat"));

    assertThat(ran.succeeded().stdout()).isEqualTo(input);
  }

  @Test
  void aCommandNeedNotReadItsInput() throws InterruptedException {
    var input = new byte[Command.MAX_STDIN_BYTES];

    assertThat(laboratory.run(fed(input, "true")).outcome()).isEqualTo(new Outcome.Exited(0, 0));
    assertThat(laboratory.run(fed(input, "sh", "-c", "sleep 1; echo done; exit 3")).code())
        .isEqualTo(3);
    assertThat(laboratory.run(fed(input, "head", "-c", "1")).succeeded().stdout()).hasSize(1);
  }

  private Command fed(byte[] input, String... argv) throws InterruptedException {
    return Command.of(List.of(argv), laboratory.sandbox().project(), Laboratory.PATIENCE)
        .withStdin(input);
  }
}
