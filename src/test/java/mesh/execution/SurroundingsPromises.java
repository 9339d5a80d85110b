package mesh.execution;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where a command runs, and what it sees of who started it. */
abstract class SurroundingsPromises {

  /** What any process has, and what may well be equal by chance. */
  private static final Set<String> ORDINARY =
      Set.of(
          "PATH",
          "HOME",
          "USER",
          "LOGNAME",
          "LANG",
          "LC_ALL",
          "TERM",
          "TMPDIR",
          "SHELL",
          "PWD",
          "OLDPWD",
          "SHLVL",
          "_",
          "HOSTNAME",
          "TZ");

  private final Laboratory laboratory;

  SurroundingsPromises(Laboratory laboratory) {
    this.laboratory = laboratory;
  }

  @Test
  void aNewProjectIsEmptyAndOutsideItTheHome() throws InterruptedException {
    var sandbox = laboratory.backend().acquire(laboratory.newSpec());

    var ran =
        Transcript.of(
            sandbox, Laboratory.script(sandbox.project(), "pwd -P; ls -A", Laboratory.PATIENCE));

    assertThat(ran.succeeded().out()).isEqualTo(sandbox.project().value() + "\n");
    assertThat(sandbox.home().isIn(sandbox.project())).isFalse();
    laboratory.destroy(sandbox.ref());
  }

  @Test
  void homeIsTheUsersHomeAndCanBeWrittenTo() throws InterruptedException {
    var ran = laboratory.shell("printf %s \"$HOME\"; : > \"$HOME/.writable\"");

    assertThat(ran.succeeded().out()).isEqualTo(laboratory.sandbox().home().value());
  }

  @Test
  void aCommandRunsInItsDirectory() throws InterruptedException {
    var folder = laboratory.folder();
    var blank = folder.resolve("a b/é");
    laboratory.shell("mkdir -p '" + blank.value() + "'").succeeded();

    assertThat(laboratory.shell(folder, "pwd -P").out()).isEqualTo(folder.value() + "\n");
    assertThat(laboratory.shell(blank, "pwd -P").out()).isEqualTo(blank.value() + "\n");
    assertThat(laboratory.shell(laboratory.sandbox().home(), "pwd -P").out())
        .isEqualTo(laboratory.sandbox().home().value() + "\n");
    assertThat(laboratory.shell(new SandboxPath("/"), "pwd -P").out()).isEqualTo("/\n");
  }

  /** case 60 */
  @Test
  void aDirectoryThatIsNoneIsToldApartFromAMissingProgram() throws InterruptedException {
    var folder = laboratory.folder();
    laboratory.write(folder.resolve("file"), new byte[0]);
    laboratory.shell(folder, "mkdir gone; rmdir gone").succeeded();

    for (var name : List.of("nowhere", "file", "file/below", "gone", "nowhere/below")) {
      for (var program : List.of("echo", "no-such-program")) {
        var command = Command.of(List.of(program, "x"), folder.resolve(name), Laboratory.PATIENCE);
        assertThat(laboratory.run(command).outcome())
            .as(program + " in " + name)
            .isEqualTo(new Outcome.NoSuchDirectory());
      }
    }
  }

  @Test
  void nothingOfMeshsOwnEnvironmentIsVisible() throws InterruptedException {
    var seen = List.of(laboratory.run("env").succeeded().out().split("\n"));

    var ours =
        System.getenv().entrySet().stream()
            .filter(entry -> !ORDINARY.contains(entry.getKey()))
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .toList();
    assertThat(ours).as("a canary in the tests' environment").isNotEmpty();
    assertThat(seen).doesNotContainAnyElementsOf(ours);
  }

  /** case 63 */
  @Test
  void noProfileIsRead() throws InterruptedException {
    var noise = "echo NOISE; exec true\n".getBytes(UTF_8);
    var profiles = List.of(".profile", ".bash_profile", ".bashrc", ".bash_login", ".zshenv");
    for (var profile : profiles) {
      laboratory.write(laboratory.sandbox().home().resolve(profile), noise);
    }

    var echo = laboratory.run("echo", "x");
    var shell = laboratory.shell("echo y");
    for (var profile : profiles) {
      laboratory.run("rm", laboratory.sandbox().home().resolve(profile).value());
    }

    assertThat(echo.succeeded().out()).isEqualTo("x\n");
    assertThat(shell.succeeded().out()).isEqualTo("y\n");
  }
}
