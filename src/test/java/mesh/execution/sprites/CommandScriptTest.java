package mesh.execution.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import mesh.execution.Command;
import mesh.execution.SandboxPath;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script that starts commands, in every shell that a sprite may call {@code sh}. */
class CommandScriptTest {

  private final Input input = Input.random(new SecureRandom());

  @TempDir Path folder;

  @Shells
  void everyCharacterOfAnArgumentArrives(String shell) throws Exception {
    var all =
        IntStream.rangeClosed(1, 0x2fff)
            .filter(it -> it != 0)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
            .append("😀'\n\n'\"$n\"\\")
            .toString();

    var ran = run(shell, header("printf", "%s|", all, "", "-n", "$n"), "");

    assertThat(ran.out()).isEqualTo(all + "||-n|$n|" + report("exit 0 0"));
    assertThat(ran.err()).isEqualTo(report("exit 0 0"));
  }

  @Shells
  void theInputBehindTheHeaderIsTheCommands(String shell) throws Exception {
    assertThat(run(shell, header("cat"), "a\nb").out()).isEqualTo("a\nb" + report("exit 0 0"));
    assertThat(run(shell, header("cat"), "").out()).isEqualTo(report("exit 0 0"));
  }

  @Shells
  void nothingRunsBeforeTheWholeHeaderCame(String shell) throws Exception {
    var whole = header("touch", folder.resolve("ran").toString());
    for (int length = 0; length < whole.length(); length += 7) {
      run(shell, whole.substring(0, length), "");
    }
    run(shell, whole.substring(0, whole.length() - 1), "");
    assertThat(folder.resolve("ran")).doesNotExist();

    run(shell, whole, "");
    assertThat(folder.resolve("ran")).exists();
  }

  @Shells
  void howItEndedIsTold(String shell) throws Exception {
    assertThat(run(shell, header("sh", "-c", "exit 7"), "").err()).isEqualTo(report("exit 7 0"));
    assertThat(run(shell, header("sh", "-c", "kill -9 $$"), "").err())
        .isEqualTo(report("exit 137 0"));
    assertThat(run(shell, header("sh", "-c", "kill -INT $$"), "").err())
        .isEqualTo(report("exit 130 0"));
    assertThat(run(shell, header("no-such-program"), "").err())
        .contains("no-such-program")
        .endsWith(report("exit 127 0"));
    assertThat(run(shell, header("-c", "env"), "").err()).endsWith(report("exit 127 0"));
    assertThat(run(shell, header("/"), "").err()).endsWith(report("exit 126 0"));
  }

  @Shells
  void whatIsLeftInTheBackgroundIsCounted(String shell) throws Exception {
    var script = "sleep 2 >/dev/null 2>&1 & env -i setsid sleep 2 >/dev/null 2>&1 & exit 1";

    assertThat(run(shell, header("sh", "-c", script), "").err()).isEqualTo(report("exit 1 2"));
  }

  /** Whoever clears a sprite knows a command's processes by a limit that is from this range. */
  @Shells
  void everyLimitIsInTheRangeThatIsCleared(String shell) throws Exception {
    var ranges =
        Pattern.compile("-e \"(\\^Max file size[^\"]*)\"")
            .matcher(Script.CLEAR.text())
            .results()
            .map(it -> it.group(1))
            .toList();
    assertThat(ranges).hasSize(2);
    for (var limit : List.of(1L << 40, (1L << 41) - 1)) {
      var odd = new Input(input.token(), input.mark(), Long.toString(limit));
      var argv =
          List.of("grep", "-c", "-e", ranges.get(0), "-e", ranges.get(1), "/proc/self/limits");
      var command = Command.of(argv, new SandboxPath("/"), Duration.ofSeconds(1));

      assertThat(run(shell, new String(odd.header(command), UTF_8), "").out())
          .isEqualTo("1\n" + report("exit 0 0"));
    }
  }

  @Shells
  void aMissingDirectoryIsTold(String shell) throws Exception {
    var command =
        Command.of(List.of("echo"), new SandboxPath(folder + "/none"), Duration.ofSeconds(1));

    assertThat(run(shell, new String(input.header(command), UTF_8), "").out())
        .isEqualTo(report("nodirectory"));
  }

  private String header(String... argv) {
    var command =
        Command.of(List.of(argv), new SandboxPath(folder.toString()), Duration.ofSeconds(1));
    return new String(input.header(command), UTF_8);
  }

  private String report(String words) {
    return "\036" + input.token() + " " + words + "\n";
  }

  private record Ran(String out, String err) {}

  private Ran run(String shell, String header, String stdin) throws Exception {
    var words = List.of(shell.split(" ", -1));
    assumeTrue(isInstalled(words.getFirst()), words.getFirst() + " is not installed");
    var argv = new ArrayList<>(words);
    argv.addAll(List.of("-c", Script.COMMAND.text(), "mesh"));
    var in = folder.resolve("in");
    Files.writeString(in, header + stdin);
    var builder =
        new ProcessBuilder(argv)
            .redirectInput(in.toFile())
            .redirectOutput(folder.resolve("out").toFile())
            .redirectError(folder.resolve("err").toFile());
    // A folder of the tester's own PATH that may not be read turns "not found" into "denied".
    builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
    var process = builder.start();
    process.waitFor();
    Files.delete(in);
    return new Ran(
        Files.readString(folder.resolve("out")), Files.readString(folder.resolve("err")));
  }

  private static boolean isInstalled(String program) throws IOException {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .anyMatch(it -> Files.isExecutable(Path.of(it, program)));
  }

  @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "bash --posix", "busybox sh"})
  private @interface Shells {}
}
