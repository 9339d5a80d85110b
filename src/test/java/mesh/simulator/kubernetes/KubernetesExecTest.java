package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesExecTest extends ClusterTest {

  private static final String V5 = "v5.channel.k8s.io";
  private static final String V4 = "v4.channel.k8s.io";

  KubernetesExecTest() throws IOException {}

  @BeforeEach
  void createOne() {
    run(pod("one").build());
  }

  @ParameterizedTest
  @CsvSource({"exit 0, 0", "exit 7, 7", "exit 255, 255", "kill -9 $$, 137", "kill -15 $$, 143"})
  void theExitCodeIsTheCommandsOwn(String script, int code) throws Exception {
    assertThat(exec.run("one", script).code()).isEqualTo(code);
  }

  @Test
  void everyChannelBeginsWithAnEmptyFrameAndTheStatusIsLast() throws Exception {
    var said = exec.run("one", "echo out; echo err >&2; exit 3");

    assertThat(said.protocol()).isEqualTo(V5);
    assertThat(said.empty()).isEqualTo(List.of(1, 2, 3));
    assertThat(said.out()).isEqualTo("out\n");
    assertThat(said.err()).isEqualTo("err\n");
    assertThat(said.status().path("reason").asString("")).isEqualTo("NonZeroExitCode");
    assertThat(said.status().path("details").path("causes").path(0).path("reason").asString(""))
        .isEqualTo("ExitCode");
    assertThat(said.closeCode()).hasValue(1000);
  }

  @Test
  void aProgramThatIsNotThereIsNoExitCode() throws Exception {
    var said = exec.start(V5, "one", "no-such-command").awaitEnd();

    assertThat(said.status().path("reason").asString("")).isEqualTo("InternalError");
    assertThat(said.status().path("message").asString(""))
        .contains("OCI runtime exec failed", "executable file not found in $PATH");
  }

  @Test
  void argumentsAreNotParsedAgain() throws Exception {
    var said = exec.start(V5, "one", "printf", "[%s]", "a b", "", "$HOME", "'\"", "é").awaitEnd();

    assertThat(said.out()).isEqualTo("[a b][][$HOME]['\"][é]");
  }

  @Test
  void inputEndsWithTheCloseFrameOfVersionFive() throws Exception {
    var cat = exec.start(V5 + "," + V4, "one", "sh", "-c", "x=$(cat); sleep 0.2; echo \"got $x\"");
    cat.sayInput("piped");
    cat.sayEndOfInput();

    assertThat(cat.awaitEnd().out()).isEqualTo("got piped\n");
  }

  @Test
  void inputDoesNotEndInVersionFour() throws Exception {
    var head = exec.start(V4, "one", "sh", "-c", "head -c 5; echo .; cat");
    head.sayInput("12345");
    head.sayEndOfInput();
    await(() -> head.out().equals("12345.\n"));

    assertThat(head.protocol()).isEqualTo(V4);
    assertThat(head.hasEnded()).isFalse();
  }

  @Test
  void aClientThatGoesAwayDoesNotEndTheCommand() throws Exception {
    var script = "echo here; trap '' HUP; while sleep 0.05; do date > /tmp/alive; done";
    var first = exec.start(V5, "one", "sh", "-c", script);
    await(() -> first.out().equals("here\n"));

    first.socket().close(1000, null);
    exec.run("one", "rm -f /tmp/alive; while [ ! -e /tmp/alive ]; do sleep 0.05; done");

    assertThat(exec.run("one", "pgrep -c -f alive").code()).isZero();
  }

  @Test
  void muchOutputArrivesWhole() throws Exception {
    assertThat(exec.run("one", "seq 1 2000000").outBytes()).isEqualTo(14_888_896);
  }

  @Test
  void whatWasPreparedIsSeenByCommands() throws Exception {
    var pod =
        new PodBuilder(pod("two").build())
            .editSpec()
            .addNewVolume()
            .withName("work")
            .withNewEmptyDir()
            .endEmptyDir()
            .endVolume()
            .editFirstContainer()
            .withWorkingDir("/workspace/project")
            .addNewVolumeMount()
            .withName("work")
            .withMountPath("/workspace")
            .endVolumeMount()
            .addNewVolumeMount()
            .withName("work")
            .withMountPath("/var/lib/somewhere/else")
            .endVolumeMount()
            .addNewEnv()
            .withName("GREETING")
            .withValue("hello you")
            .endEnv()
            .withNewSecurityContext()
            .withRunAsUser(1234L)
            .endSecurityContext()
            .endContainer()
            .endSpec()
            .build();
    run(pod);

    var said =
        exec.run(
            "two",
            "pwd; id -u; echo $GREETING; echo x > file; cat /var/lib/somewhere/else/project/file;"
                + " touch $HOME/a /tmp/a && touch /usr/a; ls -d /home/agent");

    assertThat(said.out()).isEqualTo("/workspace/project\n1234\nhello you\nx\n/home/agent\n");
    assertThat(said.err()).contains("Read-only file system");
  }

  @Test
  void aRefusedUpgradeSaysWhy() {
    kubernetes
        .resource(
            pod("stuck")
                .editSpec()
                .editFirstContainer()
                .withImage("nope")
                .endContainer()
                .endSpec()
                .build())
        .create();

    assertRefused("none", 404, "pods \"none\" not found");
    await(() -> !read("stuck").getStatus().getContainerStatuses().isEmpty());
    assertRefused("stuck", 500, "container not found (\"main\")");
    cluster.execProtocols(V4);
    assertThatThrownBy(() -> exec.start(V5, "one", "true"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class, refusal -> assertThat(refusal.status()).isEqualTo(403));
  }

  private void assertRefused(String pod, int status, String message) {
    assertThatThrownBy(() -> exec.start(V5, pod, "true"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class,
            refusal -> {
              assertThat(refusal.status()).isEqualTo(status);
              assertThat(refusal.getMessage()).contains(message.replace("\"", "\\\""));
            });
  }
}
