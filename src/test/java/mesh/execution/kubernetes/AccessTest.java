package mesh.execution.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import mesh.execution.BackendException;
import mesh.execution.Capabilities;
import mesh.execution.Capability;
import mesh.execution.catalog.BackendConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a kubeconfig may say, and which backend a configuration makes. */
class AccessTest {

  private static String kubeconfig(String cluster, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {%s}}]
    users: [{name: u, user: {%s}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(cluster, user);
  }

  @Test
  void aTokenIsReadAndNeverShown() {
    var access = Access.of(kubeconfig("server: 'https://cluster.example:6443/'", "token: s3cret"));

    assertThat(access.server()).isEqualTo("https://cluster.example:6443");
    assertThat(access.token().get()).isEqualTo("s3cret");
    assertThat(access.toString()).doesNotContain("s3cret");
    assertThat(access.cleaned("no s3cret here")).isEqualTo("no [secret] here");
  }

  /** An operator of Mesh is not one of its server. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "exec: {apiVersion: client.authentication.k8s.io/v1, command: touch, args: [/tmp/x]}",
        "token: a, client-certificate: /etc/passwd",
        "tokenFile: /etc/passwd",
        "auth-provider: {name: oidc}",
        "username: a, password: b",
        "token: 'two words'"
      })
  void whatWouldRunProgramsOrReadFilesIsRefused(String user) {
    assertThatThrownBy(() -> Access.of(kubeconfig("server: 'https://cluster.example'", user)))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageStartingWith("the kubeconfig ")
        .hasMessageNotContaining("passwd");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "{", "clusters: 7", "[]"})
  void whatIsNoKubeconfigIsRefusedAndNotQuoted(String text) {
    assertThatThrownBy(() -> Access.of(text))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageStartingWith("the kubeconfig ")
        .hasMessageNotContaining("nonsense");
  }

  @ParameterizedTest
  @ValueSource(strings = {"server: 'ftp://x'", "server: ''", "server: 'not an address'"})
  void aServerMustHaveAnAddress(String cluster) {
    assertThatThrownBy(() -> Access.of(kubeconfig(cluster, "token: a")))
        .isInstanceOf(BackendException.Rejected.class)
        .hasMessageContaining("https://");
  }

  @ParameterizedTest
  @CsvSource({
    "none,'',false,false",
    "cilium,'',true,false",
    "none,c,false,true",
    "cilium,c,true,true"
  })
  void aConfigurationMakesTheClassThatCanDoIt(
      String egress, String snapshots, boolean restricts, boolean keeps) {
    var values = new HashMap<>(Map.of("egress", egress, "snapshot_class", snapshots));
    var provider = new KubernetesBackendProvider(new SecureRandom());

    var type = provider.typeFor(new BackendConfig(values));

    var can = Capabilities.of(type);
    assertThat(can.has(Capability.EGRESS_CONTROL)).isEqualTo(restricts);
    assertThat(can.has(Capability.SNAPSHOTS)).isEqualTo(keeps);
    assertThat(can.has(Capability.SIZES) && can.has(Capability.LIFETIME_LIMIT)).isTrue();
    values.putAll(
        KubernetesBackends.config(
                kubeconfig("server: 'https://cluster.example'", "token: a"), "default", Map.of())
            .values());
    try (var opened = provider.open(new BackendConfig(values))) {
      assertThat(opened.getClass()).isEqualTo(type);
    }
  }
}
