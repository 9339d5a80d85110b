package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class KubernetesStorageTest extends ClusterTest {

  private static final ResourceDefinitionContext SNAPSHOTS =
      new ResourceDefinitionContext.Builder()
          .withGroup("snapshot.storage.k8s.io")
          .withVersion("v1")
          .withPlural("volumesnapshots")
          .withKind("VolumeSnapshot")
          .withNamespaced(true)
          .build();

  KubernetesStorageTest() throws IOException {}

  private void claim(String name, String source) {
    kubernetes
        .resource(
            """
            {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
             "metadata": {"name": "%s", "namespace": "default"},
             "spec": {"accessModes": ["ReadWriteOnce"], %s
                      "resources": {"requests": {"storage": "1Gi"}}}}
            """
                .formatted(name, source))
        .create();
  }

  private void snapshot(String name) {
    kubernetes
        .resource(
            """
            {"apiVersion": "snapshot.storage.k8s.io/v1", "kind": "VolumeSnapshot",
             "metadata": {"name": "%s", "namespace": "default"},
             "spec": {"volumeSnapshotClassName": "standard",
                      "source": {"persistentVolumeClaimName": "work"}}}
            """
                .formatted(name))
        .create();
  }

  private GenericKubernetesResource readSnapshot(String name) {
    return kubernetes
        .genericKubernetesResources(SNAPSHOTS)
        .inNamespace("default")
        .withName(name)
        .require();
  }

  private static Pod with(String name, String claim) {
    return pod(name)
        .editSpec()
        .addNewVolume()
        .withName("work")
        .withNewPersistentVolumeClaim(claim, false)
        .endVolume()
        .editFirstContainer()
        .addNewVolumeMount()
        .withName("work")
        .withMountPath("/workspace")
        .endVolumeMount()
        .endContainer()
        .endSpec()
        .build();
  }

  private void delete(String pod) {
    kubernetes.pods().inNamespace("default").withName(pod).delete();
  }

  @Test
  void aClaimOutlivesItsPodsAndGoesAfterThem() throws Exception {
    claim("work", "");
    run(with("one", "work"));
    exec.run("one", "echo kept > /workspace/file");
    delete("one");
    run(with("two", "work"));

    assertThat(exec.run("two", "cat /workspace/file").out()).isEqualTo("kept\n");

    var work = kubernetes.persistentVolumeClaims().inNamespace("default").withName("work");
    work.delete();
    assertThat(work.get().getMetadata().getDeletionTimestamp()).isNotNull();
    delete("two");
    await(() -> work.get() == null);
  }

  @Test
  void aSnapshotKeepsWhatTheClaimHeldThen() throws Exception {
    claim("work", "");
    run(with("one", "work"));
    exec.run("one", "mkdir /workspace/d; echo before > /workspace/d/file");
    snapshot("then");
    await(() -> Boolean.TRUE.equals(readSnapshot("then").get("status", "readyToUse")));
    exec.run("one", "echo after > /workspace/d/file");

    claim(
        "again",
        "\"dataSource\": {\"apiGroup\": \"snapshot.storage.k8s.io\", \"kind\": \"VolumeSnapshot\","
            + " \"name\": \"then\"},");
    run(with("two", "again"));

    assertThat(exec.run("two", "cat /workspace/d/file").out()).isEqualTo("before\n");
    assertThat(readSnapshot("then").<String>get("status", "restoreSize")).isEqualTo("1Gi");
  }

  @Test
  void aSnapshotMayNeverBeReady() {
    cluster.snapshotsReady(false);
    claim("work", "");

    snapshot("never");

    assertThat(readSnapshot("never").<Object>get("status")).isNull();
  }

  @Test
  void aClusterMayKnowNothingOfSnapshots() {
    var path = "/apis/snapshot.storage.k8s.io/v1";
    assertThat(Plain.send(cluster, "GET", path, "").body()).contains("volumesnapshotclasses");

    cluster.snapshotsServed(false);

    assertThat(Plain.send(cluster, "GET", "/apis", "").body()).doesNotContain("snapshot");
    assertThat(Plain.send(cluster, "GET", path, "").statusCode()).isEqualTo(404);
    assertThat(Plain.send(cluster, "GET", path + "/volumesnapshotclasses", "").statusCode())
        .isEqualTo(404);
  }
}
