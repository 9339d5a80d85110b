package mesh.simulator.kubernetes;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/** What a cluster does by itself once an object is there. */
final class Controllers implements AutoCloseable {

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final Store store;
  private final Kubelet kubelet;
  private final Storage storage;
  private final Deletions deletions;
  private final ExecutorService works = Executors.newVirtualThreadPerTaskExecutor();

  Controllers(Store store, Kubelet kubelet, Storage storage, Deletions deletions) {
    this.store = store;
    this.kubelet = kubelet;
    this.storage = storage;
    this.deletions = deletions;
  }

  void created(Key key, ObjectNode object) {
    if (key.type().equals(ResourceType.POD)) {
      kubelet.run(key, object);
    } else if (key.type().equals(ResourceType.NAMESPACE)) {
      provide(key.name());
    } else if (key.type().equals(ResourceType.CLAIM)) {
      start(() -> storage.provide(key, object));
    } else if (key.type().equals(ResourceType.SNAPSHOT)) {
      start(() -> storage.take(key, object));
    }
    deletions.checkOwners(key, object);
  }

  private void provide(String namespace) {
    var account =
        Json.object(
            Map.of(
                "kind", "ServiceAccount",
                "apiVersion", "v1",
                "metadata", Map.of("name", "default", "namespace", namespace)));
    Store.identify(account, store.now());
    store.create(new Key(ResourceType.SERVICE_ACCOUNT, namespace, "default"), account);
  }

  private void start(Work work) {
    works.execute(() -> {
      try {
        work.run();
      } catch (IOException e) {
        System.err.println("A simulated volume could not be had: " + e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  @Override
  public void close() {
    works.shutdownNow();
    try {
      var _ = works.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
