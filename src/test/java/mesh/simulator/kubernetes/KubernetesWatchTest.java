package mesh.simulator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What clients are told of changes. */
class KubernetesWatchTest extends ConfigMapTest {

  KubernetesWatchTest() throws IOException {}

  @Test
  void aWatchTellsWhatHappenedSinceAVersion() {
    var first = create("one", "red");
    create("two", "red");
    var seen = new CopyOnWriteArrayList<String>();

    try (var _ =
        kubernetes
            .configMaps()
            .inNamespace("default")
            .watch(
                new ListOptionsBuilder()
                    .withLabelSelector("color=red")
                    .withResourceVersion(first.getMetadata().getResourceVersion())
                    .build(),
                new Noting(seen))) {
      kubernetes.resource(map("one", "blue")).update();
      kubernetes.resource(map("two", "red")).delete();

      await(() -> seen.size() == 3);
    }

    assertThat(seen).containsExactly("ADDED two", "DELETED one", "DELETED two");
  }

  @Test
  void anInformerSeesWhatIsThereAndWhatComes() {
    create("one", "red");

    try (var informer = kubernetes.configMaps().inNamespace("default").inform()) {
      create("two", "red");
      await(() -> informer.getStore().list().size() == 2);
      cluster.forgetChanges();
      create("three", "red");

      await(() -> informer.getStore().list().size() == 3);
    }
  }

  @Test
  void aWatchForTheListFirstEndsItWithABookmark() {
    create("one", "red");
    var path =
        "/api/v1/namespaces/default/configmaps?watch=true&sendInitialEvents=true"
            + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1";

    var lines = Plain.send(cluster, "GET", path, "").body().lines().toList();
    cluster.watchLists(false);

    assertThat(lines.getFirst()).contains("\"ADDED\"", "\"one\"");
    assertThat(lines.get(1)).contains("\"BOOKMARK\"", "\"k8s.io/initial-events-end\":\"true\"");
    assertThat(Plain.send(cluster, "GET", path, "").statusCode()).isEqualTo(422);
  }

  @Test
  void aVersionThatIsTooOldIsGone() {
    cluster.forgetChanges();

    var path = "/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=1";

    assertThat(Plain.send(cluster, "GET", path, "").body())
        .contains("\"ERROR\"", "\"code\":410", "\"Expired\"");
  }

  /** What is told of each object, by its name. */
  private record Noting(List<String> seen) implements Watcher<ConfigMap> {

    @Override
    public void eventReceived(Action action, ConfigMap object) {
      seen.add(action + " " + object.getMetadata().getName());
    }

    @Override
    public void onClose(WatcherException cause) {}
  }
}
