package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Which pods a cluster takes. */
class KubernetesAdmissionTest extends ClusterTest {

  KubernetesAdmissionTest() throws IOException {}

  private void assertRefused(Pod pod, int code, String message) {
    assertThatThrownBy(() -> kubernetes.resource(pod).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            it -> {
              assertThat(it.getCode()).isEqualTo(code);
              assertThat(it.getStatus().getMessage()).contains(message);
            });
  }

  @Test
  void aRestrictedNamespaceTakesOnlyRestrictedPods() {
    kubernetes
        .namespaces()
        .withName("default")
        .edit(it -> {
          it.getMetadata().getLabels().put("pod-security.kubernetes.io/enforce", "restricted");
          return it;
        });

    assertRefused(
        pod("one").build(),
        403,
        "pods \"one\" is forbidden: violates PodSecurity \"restricted:latest\":"
            + " allowPrivilegeEscalation != false (container \"main\" must set"
            + " securityContext.allowPrivilegeEscalation=false), unrestricted capabilities");
    run(
        pod("two")
            .editSpec()
            .withNewSecurityContext()
            .withRunAsNonRoot(true)
            .withNewSeccompProfile()
            .withType("RuntimeDefault")
            .endSeccompProfile()
            .endSecurityContext()
            .editFirstContainer()
            .withNewSecurityContext()
            .withAllowPrivilegeEscalation(false)
            .withNewCapabilities()
            .withDrop("ALL")
            .endCapabilities()
            .endSecurityContext()
            .endContainer()
            .endSpec()
            .build());
  }

  @Test
  void aQuotaIsNotExceeded() {
    kubernetes
        .resource(
            """
            {"apiVersion": "v1", "kind": "ResourceQuota",
             "metadata": {"name": "small", "namespace": "default"},
             "spec": {"hard": {"limits.memory": "2Gi", "pods": "5"}}}
            """)
        .create();
    kubernetes.resource(limited("one", "1536Mi")).create();

    assertRefused(
        limited("two", "1Gi"),
        403,
        "pods \"two\" is forbidden: exceeded quota: small, requested: limits.memory=1Gi, used:"
            + " limits.memory=1536Mi, limited: limits.memory=2Gi");
    assertRefused(
        pod("three").build(), 403, "failed quota: small: must specify limits.memory for: main");
  }

  @Test
  void whatAPodNamesMustBeThere() {
    assertRefused(
        pod("one").editSpec().withRuntimeClassName("gvisor").endSpec().build(),
        403,
        "RuntimeClass \"gvisor\" not found");
    assertRefused(
        pod("one").editSpec().withServiceAccountName("runner").endSpec().build(),
        403,
        "error looking up service account default/runner");
    kubernetes
        .resource(
            "{\"apiVersion\":\"node.k8s.io/v1\",\"kind\":\"RuntimeClass\",\"metadata\":{\"name\":"
                + "\"gvisor\"},\"handler\":\"runsc\"}")
        .create();
    kubernetes
        .resource(pod("one").editSpec().withRuntimeClassName("gvisor").endSpec().build())
        .create();
  }
}
