package mesh.execution.kubernetes;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import mesh.execution.BackendException;

/**
 * Says in one sentence what a 403 is about: rights that are missing, all of them at once, or
 * something that the namespace does not let through whoever asks.
 */
final class Permissions {

  /**
   * @param resource with its subresource, such as {@code pods/exec}
   */
  record Right(String group, String resource, String verb) {

    @Override
    public String toString() {
      return verb + " " + resource;
    }
  }

  private final String namespace;
  private final List<Right> needed;

  private Permissions(String namespace, List<Right> needed) {
    this.namespace = namespace;
    this.needed = List.copyOf(needed);
  }

  static Permissions of(String namespace, boolean restricts, boolean snapshots) {
    var needed = new ArrayList<Right>();
    add(needed, "", "pods", "create", "get", "list", "watch", "delete");
    add(needed, "", "pods/exec", "get", "create");
    add(needed, "", "configmaps", "create", "get");
    add(needed, "", "events", "list");
    if (restricts) {
      add(needed, "cilium.io", "ciliumnetworkpolicies", "create", "get", "list", "delete");
      add(needed, "networking.k8s.io", "networkpolicies", "list");
    }
    if (snapshots) {
      add(needed, "", "persistentvolumeclaims", "get");
      add(needed, "snapshot.storage.k8s.io", "volumesnapshots", "create", "get", "delete");
    }
    return new Permissions(namespace, needed);
  }

  private static void add(List<Right> needed, String group, String resource, String... verbs) {
    for (var verb : verbs) {
      needed.add(new Right(group, resource, verb));
    }
  }

  /**
   * @param words the cluster's own, after "Kubernetes answered 403"
   */
  BackendException.Rejected explained(KubernetesClient client, String words) {
    var said = "Kubernetes answered 403" + (words.isEmpty() ? "" : ": " + words);
    if (words.contains("exceeded quota")) {
      return rejected("the quota of the namespace %s is used up (%s)", said);
    }
    if (words.contains("PodSecurity")) {
      return rejected(
          "the Pod Security level of the namespace %s lets no such pod through (%s)", said);
    }
    if (words.contains("RuntimeClass")) {
      return rejected("the cluster has no such runtime class (%2$s)", said);
    }
    var missing = missing(client);
    return missing.isEmpty() ? new BackendException.Rejected(said, null) : lacking(missing, said);
  }

  /**
   * All that is needed and granted, by resource.
   *
   * @throws BackendException.Rejected with all that is missing
   */
  String granted(KubernetesClient client) {
    var missing = needed.stream().filter(right -> !isGranted(client, right)).toList();
    if (!missing.isEmpty()) {
      throw lacking(missing, "so says its own review of access");
    }
    var verbs = new LinkedHashMap<String, List<String>>();
    needed.forEach(
        right -> verbs.computeIfAbsent(right.resource(), _ -> new ArrayList<>()).add(right.verb()));
    return verbs.entrySet().stream()
        .map(it -> it.getKey() + ": " + String.join(", ", it.getValue()))
        .collect(joining("; "));
  }

  private BackendException.Rejected lacking(List<Right> missing, String said) {
    return rejected(
        "Mesh lacks rights in the namespace %s: "
            + missing.stream().map(Right::toString).collect(joining(", "))
            + "; docs/kubernetes-rbac.yaml grants them (%s)",
        said);
  }

  private BackendException.Rejected rejected(String sentence, String said) {
    return new BackendException.Rejected(sentence.formatted(namespace, said), null);
  }

  /** None if the cluster does not say. */
  private List<Right> missing(KubernetesClient client) {
    try {
      return needed.stream().filter(right -> !isGranted(client, right)).toList();
    } catch (KubernetesClientException noReview) {
      return List.of();
    }
  }

  private boolean isGranted(KubernetesClient client, Right right) {
    var parts = right.resource().split("/", 2);
    var review = new SelfSubjectAccessReviewBuilder();
    review
        .withNewSpec()
        .withNewResourceAttributes()
        .withNamespace(namespace)
        .withGroup(right.group())
        .withResource(parts[0])
        .withSubresource(parts.length > 1 ? parts[1] : "")
        .withVerb(right.verb())
        .endResourceAttributes()
        .endSpec();
    var answer = client.authorization().v1().selfSubjectAccessReview().create(review.build());
    return answer.getStatus() == null || Boolean.TRUE.equals(answer.getStatus().getAllowed());
  }
}
