package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.util.Optional;
import java.util.function.Function;
import mesh.execution.BackendException;
import mesh.execution.remote.Patience;
import org.jspecify.annotations.Nullable;

/** The REST interface of a cluster in one namespace, with its errors in our words. */
final class Cluster implements AutoCloseable {

  private final Access access;
  private final String namespace;
  private final Permissions permissions;
  private final Patience patience;
  private final KubernetesClient client;

  Cluster(Access access, String namespace, Permissions permissions, Patience patience) {
    this.access = access;
    this.namespace = namespace;
    this.permissions = permissions;
    this.patience = patience;
    this.client =
        new KubernetesClientBuilder()
            .withConfig(access.config())
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
  }

  String namespace() {
    return namespace;
  }

  /** One or more calls that may be made again as a whole. */
  <T> T call(Function<KubernetesClient, T> calls) throws InterruptedException {
    return patience.retrying(() -> once(calls));
  }

  /** Empty if what was asked for does not exist. */
  <T> Optional<T> find(Function<KubernetesClient, @Nullable T> calls) throws InterruptedException {
    return call(client -> Optional.ofNullable(calls.apply(client)));
  }

  /** Without second attempts. */
  <T> T once(Function<KubernetesClient, T> calls) throws InterruptedException {
    try {
      return calls.apply(client);
    } catch (KubernetesClientException failure) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      var status = failure.getStatus();
      throw failure.getCode() == 403
          ? forbidden(status == null ? "" : Refusal.line(status.getMessage()))
          : Refusal.of(failure, access::cleaned);
    }
  }

  /** Says what a 403 is about. */
  BackendException.Rejected forbidden(String words) {
    return permissions.explained(client, access.cleaned(words));
  }

  /**
   * Makes an object; false if there is one of its name. Made once only: of an attempt whose answer
   * was lost the next one finds the name taken.
   */
  boolean create(Function<KubernetesClient, ?> creation) throws InterruptedException {
    return call(client -> {
      try {
        var _ = creation.apply(client);
        return true;
      } catch (KubernetesClientException failure) {
        if (failure.getCode() == 409) {
          return false;
        }
        throw failure;
      }
    });
  }

  /**
   * Asks for an object's deletion; one that is gone already is fine.
   *
   * @param path below the namespace, such as {@code pods/name}
   */
  void delete(String api, String path, DeleteOptions options) throws InterruptedException {
    var uri = "/%s/namespaces/%s/%s".formatted(api, namespace, path);
    call(client -> {
      try {
        var _ = client.raw(uri, "DELETE", options);
      } catch (KubernetesClientException failure) {
        // 409: by now there is another of that name, which is none of ours to delete.
        if (failure.getCode() != 404 && failure.getCode() != 409) {
          throw failure;
        }
      }
      return true;
    });
  }

  /** Its dependents go with it, a little later. */
  static DeleteOptionsBuilder inBackground() {
    return new DeleteOptionsBuilder().withPropagationPolicy("Background");
  }

  @Override
  public void close() {
    client.close();
  }
}
