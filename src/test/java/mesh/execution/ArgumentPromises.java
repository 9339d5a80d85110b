package mesh.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An argument vector arrives as it was given; no layer parses it again. */
abstract class ArgumentPromises {

  private final Laboratory laboratory;

  ArgumentPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  /** case 15 */
  @Test
  void everyArgumentArrivesAsItIs() throws InterruptedException {
    var ran =
        laboratory.run(
            "printf", "[%s]", "a b", "", "$HOME", "x'y\"z", "-n", "l1\nl2", "`id`", "\\", "é☕");

    assertThat(ran.succeeded().out()).isEqualTo("[a b][][$HOME][x'y\"z][-n][l1\nl2][`id`][\\][é☕]");
  }

  @Test
  void whatAShellOrAUrlWouldReadIsOnlyText() throws InterruptedException {
    var odd =
        List.of("*", "?", "~", "a&b=c", "%41", "+", "#", ";", "|", "{a,b}", "\t", "\r\n", "\u007f");
    var argv = new ArrayList<>(List.of("printf", "[%s]"));
    argv.addAll(odd);

    var ran = laboratory.run(argv.toArray(String[]::new));

    assertThat(ran.succeeded().out()).isEqualTo("[" + String.join("][", odd) + "]");
  }

  /** case 59 */
  @ParameterizedTest
  @ValueSource(strings = {"-c", "--", "-a", "-p", "--help"})
  void aProgramThatBeginsWithADashIsNoOption(String program) throws InterruptedException {
    var ran = laboratory.run(program, "env");

    assertThat(ran.code()).isEqualTo(127);
    assertThat(ran.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"exit", "eval", "export", "set", "exec"})
  void aShellsOwnCommandsAreNoPrograms(String builtin) throws InterruptedException {
    assertThat(laboratory.run(builtin, "3").code()).isEqualTo(127);
  }

  /** case 58 */
  @Test
  void aScriptOfSeveralLinesWithItsOwnInputRuns() throws InterruptedException {
    var ran = laboratory.shell("cat <<'EOF'\nit's $HOME `x`\nEOF\necho after");

    assertThat(ran.succeeded().out()).isEqualTo("it's $HOME `x`\nafter\n");
  }

  /** case 107 */
  @Test
  void theLongestArgumentArrivesWhole() throws InterruptedException {
    var longest = "x".repeat(Command.MAX_ARGV_BYTES - "printf".length() - "%s".length() - 3);

    var ran = laboratory.run("printf", "%s", longest);

    assertThat(ran.succeeded().out()).isEqualTo(longest);
  }

  @Test
  void theMostArgumentsArriveAll() throws InterruptedException {
    var argv = new ArrayList<>(List.of("sh", "-c", "echo $#", "sh"));
    while (argv.size() < Command.MAX_ARGUMENTS) {
      argv.add("a");
    }

    var ran = laboratory.run(argv.toArray(String[]::new));

    assertThat(ran.succeeded().out()).isEqualTo(Command.MAX_ARGUMENTS - 4 + "\n");
  }
}
