package mesh.execution.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import mesh.execution.Command;
import mesh.execution.FileMode;
import mesh.execution.Outcome;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands see, and that nothing of them stays. */
class LocalProcessesTest {

  @RegisterExtension private final OwnSandbox here = new OwnSandbox();

  @Test
  void theEnvironmentIsExactlyThis() throws InterruptedException {
    var seen = here.run("env").split("\n");

    assertThat(seen)
        .extracting(line -> line.substring(0, line.indexOf('=')))
        .containsExactlyInAnyOrder(
            "PATH", "HOME", "TMPDIR", "USER", "LANG", "TERM", "MESH_SANDBOX", "MESH_COMMAND");
    assertThat(seen)
        .contains(
            "HOME=" + here.sandbox().home(),
            "TMPDIR=" + here.sandbox().home().resolve("../tmp"),
            "LANG=C.UTF-8",
            "TERM=dumb",
            "MESH_SANDBOX=" + here.spec().key().value());
  }

  @Test
  void noFileOfMeshsIsOpenInACommand() throws InterruptedException {
    // The fourth is the directory that ls itself reads.
    assertThat(here.run("sh", "-c", "exec ls /proc/self/fd")).isEqualTo("0\n1\n2\n3\n");
  }

  @Test
  void standardInputLeavesNothingBehind() throws InterruptedException, IOException {
    var command =
        Command.of(List.of("cat"), here.sandbox().project(), OwnSandbox.PATIENCE)
            .withStdin("x".getBytes(UTF_8));

    assertThat(here.sandbox().exec(command, (_, _) -> {})).isEqualTo(new Outcome.Exited(0, 0));

    try (var files = Files.list(here.root().resolve(here.spec().key().value()))) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .containsExactlyInAnyOrder("project", "home", "tmp", "made", "size");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep 77.%1$d & echo $! > pid",
        "setsid sleep 77.%1$d >/dev/null 2>&1 & echo $! > pid",
        "sh -c 'setsid sleep 77 & echo $! > pid' >/dev/null 2>&1"
      })
  void childrenThatAreLeftAreCountedAndEndWithTheSandbox(String script)
      throws InterruptedException {
    var outcome = here.exec(String.format(script, 1), OwnSandbox.PATIENCE);
    var child = here.pid();

    assertThat(outcome).isEqualTo(new Outcome.Exited(0, 1));
    assertThat(here.isAlive(child)).isTrue();

    here.backend().release(here.sandbox().ref());
    assertThat(here.isAlive(child)).isFalse();
  }

  /** Between two programs the kernel shows neither environment. */
  @Test
  void whoeverIsJustBecomingAnotherProgramIsCounted() throws Exception {
    Files.writeString(here.host("again"), "exec sh again\n");
    here.exec("echo $$ > pid; for i in 1 2 3 4; do sh again & done", OwnSandbox.PATIENCE);
    var leader = here.pid();

    for (var i = 0; i < 300; i++) {
      assertThat(ProcessTable.countSince(leader, Surroundings.SANDBOX, here.spec().key().value()))
          .isEqualTo(4);
    }
  }

  @Test
  void whoeverGaveUpMarkAndParentsEndsAtTheTimeoutAllTheSame() throws InterruptedException {
    var outcome =
        here.exec(
            "(env -i setsid sh -c 'echo $$ > pid; sleep 77' >/dev/null 2>&1 &); sleep 60",
            Duration.ofSeconds(1));

    assertThat(outcome).isEqualTo(new Outcome.TimedOut());
    assertThat(here.isAlive(here.pid())).isFalse();
  }

  @Test
  void whoeverGaveUpMarkAndParentsEndsWithTheSandbox() throws InterruptedException {
    here.exec(
        "(env -i setsid sh -c 'echo $$ > pid; sleep 77' >/dev/null 2>&1 &);"
            + " until [ -s pid ]; do sleep 0.1; done",
        OwnSandbox.PATIENCE);
    var child = here.pid();
    assertThat(here.isAlive(child)).isTrue();

    here.backend().release(here.sandbox().ref());

    assertThat(here.isAlive(child)).isFalse();
  }

  /** case 3: whoever waits for a process that is ended must not get to its next step. */
  @RepeatedTest(15)
  void nothingGoesOnBecauseSomethingElseEnded() throws InterruptedException {
    here.exec(
        "for i in 1 2 3 4; do sh -c 'sleep 60; echo > late' & sleep 60 | (cat; echo > late) & done;"
            + " sleep 60; echo > late",
        Duration.ofMillis(300));

    assertThat(here.run("ls")).isEmpty();
  }

  @Test
  void aPersonLookingAroundIsLeftAlone() throws Exception {
    var visitor =
        new ProcessBuilder("sleep", "30")
            .directory(Path.of(here.sandbox().project().value()).toFile())
            .start();

    here.exec("sleep 60", Duration.ofSeconds(1));
    here.backend().release(here.sandbox().ref());

    assertThat(visitor.isAlive()).isTrue();
    visitor.destroyForcibly().waitFor();
  }

  @Test
  void aTreeThatKeepsForkingEnds() throws InterruptedException {
    var outcome =
        here.exec(
            "grow() { i=0; while :; do (echo $i > beat; sleep 0.01) & i=$((i+1)); sleep 0.01; done; };"
                + " grow & grow & grow",
            Duration.ofSeconds(1));

    assertThat(outcome).isEqualTo(new Outcome.TimedOut());
    assertThat(ProcessTable.now().processes())
        .noneMatch(it -> it.carries(Surroundings.SANDBOX, here.spec().key().value()));
  }

  @Test
  void aScriptWithoutItsInterpreterIsMissing() throws InterruptedException {
    var script = "#!/no/such/interpreter\n".getBytes(UTF_8);
    here.sandbox().write(here.path("run"), script, FileMode.parse("0755"));

    assertThat(here.sandbox().exec(here.command("./run"), (_, _) -> {}))
        .isEqualTo(new Outcome.Exited(127, 0));
  }

  /** A file just written must not be "busy" because another command is being started. */
  @Test
  void aProgramJustWrittenRunsHoweverMuchElseStarts() throws Exception {
    var program = Files.readAllBytes(Path.of("/bin/true"));

    try (var threads = Executors.newCachedThreadPool()) {
      var lanes = new ArrayList<Future<Void>>();
      for (var lane = 0; lane < 6; lane++) {
        var name = "program" + lane;
        lanes.add(
            threads.submit(() -> {
              for (var i = 0; i < 60; i++) {
                here.sandbox().write(here.path(name), program, FileMode.parse("0755"));
                assertThat(here.sandbox().exec(here.command("./" + name), (_, _) -> {}))
                    .isEqualTo(new Outcome.Exited(0, 0));
              }
              return null;
            }));
      }
      for (var lane : lanes) {
        lane.get();
      }
    }
  }
}
