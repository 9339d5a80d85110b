package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import mesh.TestMesh;
import mesh.simulator.kubernetes.CallKind;
import mesh.simulator.kubernetes.KubernetesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** "Test this runtime" on a cluster that says beforehand what it would refuse, and why. */
class KubernetesTrialTest {

  private TestMesh mesh;
  private KubernetesSimulator cluster;

  @BeforeEach
  void start() throws IOException {
    mesh = TestMesh.start();
    cluster = KubernetesSimulator.start(0);
    Runtimes.onlyKubernetes(mesh, cluster);
  }

  @AfterEach
  void stop() {
    mesh.close();
    cluster.close();
  }

  @Test
  void tellsWhatIsGrantedBesideWhatItTook() {
    var trial = trial();

    assertThat(trial.get("ok").asBoolean()).as(trial.toString()).isTrue();
    assertThat(names(trial))
        .containsExactly("rights", "dry_run", "acquire", "exec", "write", "read", "release");
    assertThat(trial.get("steps").get(0).get("note").asString())
        .contains("pods: create, get, list, watch, delete", "pods/exec: get, create");
  }

  @Test
  void tellsEachReasonForANoAndMakesNoPod() {
    cluster.refuse(CallKind.CREATE_POD);
    cluster.refuse(new CallKind("get", "pods/exec"));

    var trial = trial();

    assertThat(trial.get("ok").asBoolean()).isFalse();
    assertThat(names(trial)).containsExactly("rights", "dry_run");
    assertThat(trial.get("steps"))
        .allSatisfy(step ->
            assertThat(step.get("error").asString())
                .contains("create pods, get pods/exec", "docs/kubernetes-rbac.yaml"));
  }

  private JsonNode trial() {
    return mesh.admin().post("/api/settings/agent-runtimes/kubernetes/test", "").ok();
  }

  private static List<String> names(JsonNode trial) {
    return trial.get("steps").valueStream().map(step -> step.get("step").asString()).toList();
  }
}
