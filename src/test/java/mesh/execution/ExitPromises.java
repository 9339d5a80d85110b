package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a command ended is told exactly. */
abstract class ExitPromises {

  private final Laboratory laboratory;

  ExitPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 118 */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 42, 125, 126, 127, 128, 193, 255})
  void anExitCodeIsAnOutcome(int code) throws InterruptedException {
    var ran = laboratory.shell("echo why >&2; exit " + code);

    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.err()).isEqualTo("why\n");
  }

  /** case 61 */
  @Test
  void aSignalThatEndsTheLeaderIsNamed() throws InterruptedException {
    assertThat(laboratory.shell("kill -9 $$").outcome()).isEqualTo(new Outcome.Signalled(9, 0));
    assertThat(laboratory.shell("kill -TERM $$").outcome()).isEqualTo(new Outcome.Signalled(15, 0));
  }

  /** case 61 */
  @Test
  void howOneCommandEndsIsNothingToTheNext() throws InterruptedException {
    assertThat(laboratory.shell("set -e; false; echo no").code()).isEqualTo(1);
    assertThat(laboratory.shell("exit 5").code()).isEqualTo(5);
    laboratory.shell("kill -9 $$");

    assertThat(laboratory.run("echo", "ok").succeeded().out()).isEqualTo("ok\n");
  }

  /** case 125 */
  @Test
  void aMissingProgramIs127AndSaysSo() throws InterruptedException {
    var ran = laboratory.run("no-such-program");

    assertThat(ran.code()).isEqualTo(127);
    assertThat(ran.err()).contains("no-such-program");
    assertThat(laboratory.run("./no-such-program").code()).isEqualTo(127);
    assertThat(laboratory.run("/no/such/program").code()).isEqualTo(127);
  }

  /** case 125 */
  @Test
  void aFileThatIsNoProgramIs126AndSaysSo() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.write(folder.resolve("plain.sh"), "echo no".getBytes(UTF_8));

    var ran = laboratory.run(in(folder, "./plain.sh"));

    assertThat(ran.code()).isEqualTo(126);
    assertThat(ran.err()).contains("plain.sh");
    assertThat(laboratory.run("/tmp").code()).isEqualTo(126);
  }

  @Test
  void aProgramNamedByAPathIsFoundFromTheWorkingDirectory() throws InterruptedException {
    var folder = laboratory.folder();
    var script = "#!/bin/sh\necho ran \"$@\"\n".getBytes(UTF_8);
    laboratory.sandbox().write(folder.resolve("a/run"), script, FileMode.parse("0755"));

    assertThat(laboratory.run(in(folder, "a/run", "x")).succeeded().out()).isEqualTo("ran x\n");
    assertThat(laboratory.run(in(folder.resolve("a"), "./run")).succeeded().out())
        .isEqualTo("ran\n");
    assertThat(laboratory.run(in(folder.resolve("a"), "run")).code()).isEqualTo(127);
  }

  private static Command in(SandboxPath directory, String... argv) {
    return Command.of(List.of(argv), directory, Laboratory.PATIENCE);
  }
}
