package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The life of a pod. */
class KubernetesPodsTest extends ClusterTest {

  KubernetesPodsTest() throws IOException {}

  private static Pod running(String name, String script) {
    return pod(name)
        .editSpec()
        .editFirstContainer()
        .withCommand("sh", "-c", script)
        .endContainer()
        .endSpec()
        .build();
  }

  private static String reason(Pod pod) {
    var state = pod.getStatus().getContainerStatuses().getFirst().getState();
    return state.getTerminated() == null
        ? state.getWaiting() == null ? "running" : state.getWaiting().getReason()
        : state.getTerminated().getReason() + " " + state.getTerminated().getExitCode();
  }

  private Pod awaitPhase(String name, String phase) {
    return await(
        name, it -> it.getStatus().getPhase().equals(phase) && !reason(it).equals("running"));
  }

  @Test
  void aPodEndsAsItsMainProcessDoes() {
    kubernetes.resource(running("good", "echo said; exit 0")).create();
    kubernetes.resource(running("bad", "exit 3")).create();
    kubernetes.resource(running("missing", "exec nothing-of-that-name")).create();

    assertThat(reason(awaitPhase("good", "Succeeded"))).isEqualTo("Completed 0");
    assertThat(reason(awaitPhase("bad", "Failed"))).isEqualTo("Error 3");
    assertThat(reason(awaitPhase("missing", "Failed"))).isEqualTo("Error 127");
    assertThat(kubernetes.pods().inNamespace("default").withName("good").getLog())
        .isEqualTo("said\n");
  }

  @Test
  void aPodThatLastsTooLongFails() {
    kubernetes
        .resource(pod("one").editSpec().withActiveDeadlineSeconds(1L).endSpec().build())
        .create();

    var failed = awaitPhase("one", "Failed");

    assertThat(failed.getStatus().getReason()).isEqualTo("DeadlineExceeded");
    assertThat(reason(failed)).isEqualTo("Error 137");
  }

  @Test
  void aDeletedPodIsThereUntilItHasEnded() {
    var script = "trap 'touch /tmp/asked; exit 0' TERM; while :; do sleep 0.05; done";
    run(
        new PodBuilder(running("one", script))
            .editSpec()
            .withTerminationGracePeriodSeconds(20L)
            .endSpec()
            .build());
    run(pod("deaf").editSpec().withTerminationGracePeriodSeconds(1L).endSpec().build());
    var started = System.nanoTime();

    kubernetes.pods().inNamespace("default").withName("deaf").delete();
    kubernetes.pods().inNamespace("default").withName("one").delete();

    assertThat(read("deaf").getMetadata().getDeletionTimestamp()).isNotNull();
    await(() -> cluster.pods().isEmpty());
    assertThat(Duration.ofNanos(System.nanoTime() - started))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(15));
    await(() -> cluster.livePods() == 0);
  }

  @Test
  void aContainerThatUsesTooMuchMemoryEndsAsAWhole() throws Exception {
    run(limited("one", "64Mi"));

    var said = exec.run("one", "head -c 200000000 /dev/zero | tail | sleep 30");

    assertThat(said.code()).isEqualTo(137);
    var failed = awaitPhase("one", "Failed");
    assertThat(reason(failed)).isEqualTo("OOMKilled 137");
  }

  @Test
  void whatRanOutOfMemoryMaySayZero() throws Exception {
    cluster.outOfMemory(OutOfMemory.KILLS_CONTAINER_AND_SAYS_ZERO);
    run(limited("one", "64Mi"));

    exec.run("one", "head -c 200000000 /dev/zero | tail | sleep 30");

    assertThat(reason(awaitPhase("one", "Failed"))).isEqualTo("OOMKilled 0");
  }

  @Test
  void onlyTheProcessThatUsesTooMuchMemoryMayEnd() throws Exception {
    cluster.outOfMemory(OutOfMemory.KILLS_PROCESS);
    run(limited("one", "64Mi"));

    var said = exec.run("one", "cat /dev/zero | head -c 200000000 | exec tail");

    assertThat(said.code()).isEqualTo(137);
    assertThat(reason(read("one"))).isEqualTo("running");
    assertThat(exec.run("one", "exit 4").code()).isEqualTo(4);
  }

  @Test
  void whatCannotStartSaysWhy() {
    cluster.node("2", "4Gi");
    kubernetes.resource(limited("large", "5Gi")).create();
    kubernetes
        .resource(
            pod("unknown")
                .editSpec()
                .editFirstContainer()
                .withImage("nope/none")
                .endContainer()
                .endSpec()
                .build())
        .create();
    kubernetes
        .resource(
            pod("unset")
                .editSpec()
                .editFirstContainer()
                .addNewEnv()
                .withName("A")
                .withNewValueFrom()
                .withNewSecretKeyRef("key", "nothing", false)
                .endValueFrom()
                .endEnv()
                .endContainer()
                .endSpec()
                .build())
        .create();

    var large = await("large", it -> !it.getStatus().getConditions().isEmpty());
    assertThat(large.getStatus().getConditions().getFirst().getReason()).isEqualTo("Unschedulable");
    assertThat(large.getStatus().getConditions().getFirst().getMessage())
        .startsWith("0/1 nodes are available: 1 Insufficient memory.");
    await("unknown", it -> isWaiting(it, "ImagePullBackOff"));
    await("unset", it -> isWaiting(it, "CreateContainerConfigError"));
    assertThat(kubernetes.v1().events().inNamespace("default").list().getItems())
        .anySatisfy(it -> assertThat(it.getReason()).isEqualTo("FailedScheduling"));
  }

  private static boolean isWaiting(Pod pod, String why) {
    return !pod.getStatus().getContainerStatuses().isEmpty() && reason(pod).equals(why);
  }

  @Test
  void anEvictedPodFailsAndHasNoContainers() {
    run(pod("one").build());

    cluster.evict("default", "one", "The node was low on resource: memory.");

    var evicted = await("one", it -> it.getStatus().getPhase().equals("Failed"));
    assertThat(evicted.getStatus().getReason()).isEqualTo("Evicted");
    assertThat(evicted.getStatus().getContainerStatuses()).isEmpty();
  }

  @Test
  void aPodOnALostNodeStaysUntilItIsRemovedByForce() throws Exception {
    run(pod("one").build());

    cluster.loseNode("default", "one");

    await("one", it -> "NodeLost".equals(it.getStatus().getReason()));
    assertThatThrownBy(() -> exec.run("one", "true"))
        .cause()
        .isInstanceOfSatisfying(
            Conversed.Refused.class, refusal -> assertThat(refusal.status()).isEqualTo(500));
    kubernetes.pods().inNamespace("default").withName("one").withGracePeriod(5).delete();
    assertThat(read("one").getMetadata().getDeletionTimestamp()).isNotNull();
    kubernetes.pods().inNamespace("default").withName("one").withGracePeriod(0).delete();
    await(() -> cluster.livePods() == 0);
  }

  @Test
  void nothingIsLeftWhenItIsClosed() throws Exception {
    run(running("one", "setsid sleep 3630 & sleep 3630"));
    exec.start("v4.channel.k8s.io", "one", "sleep", "3630");
    await(() -> sleepers() == 3);

    cluster.close();

    assertThat(sleepers()).isZero();
    assertThat(cluster.folder()).doesNotExist();
  }

  private static long sleepers() {
    return ProcessHandle.allProcesses()
        .map(it -> Path.of("/proc/" + it.pid() + "/cmdline"))
        .filter(it -> contentOf(it).equals("sleep\0" + "3630\0"))
        .count();
  }

  private static String contentOf(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // The process has ended meanwhile.
      return "";
    }
  }

  @Test
  void requestsAreRecordedByKind() {
    run(pod("one").build());

    assertThat(cluster.calls(CallKind.CREATE_POD)).hasSize(1);
    assertThat(cluster.calls().getFirst().path()).isEqualTo("/api/v1/namespaces/default/pods");
    assertThat(List.copyOf(cluster.pods())).containsExactly("default/one");
  }
}
