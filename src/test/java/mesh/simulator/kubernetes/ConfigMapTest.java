package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Tests of objects in general, with config maps as the plainest of them. */
abstract class ConfigMapTest extends ClusterTest {

  ConfigMapTest() throws IOException {}

  static ConfigMap map(String name, String color) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("default")
        .withLabels(Map.of("color", color))
        .endMetadata()
        .withData(Map.of("key", "value"))
        .build();
  }

  ConfigMap create(String name, String color) {
    return kubernetes.resource(map(name, color)).create();
  }

  List<String> names(String labelSelector) {
    return kubernetes
        .configMaps()
        .inNamespace("default")
        .list(new ListOptionsBuilder().withLabelSelector(labelSelector).build())
        .getItems()
        .stream()
        .map(it -> it.getMetadata().getName())
        .toList();
  }

  static void assertStatus(int code, String message, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            it -> {
              assertThat(it.getCode()).isEqualTo(code);
              assertThat(it.getStatus().getMessage()).contains(message);
            });
  }
}
