package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import mesh.execution.BackendException;
import org.jspecify.annotations.Nullable;

/**
 * Looks for policies of others that let a pod connect: what one policy allows no other can take
 * back.
 */
final class Neighbours {

  private static final String NAMESPACE = "io.kubernetes.pod.namespace";

  private final Cluster cluster;
  private final Policies policies;

  Neighbours(Cluster cluster, Policies policies) {
    this.cluster = cluster;
    this.policies = policies;
  }

  /**
   * @param own the name of the pod's own policy
   * @throws BackendException.Rejected if there is one
   */
  void refuse(String own, Map<String, String> labels) throws InterruptedException {
    var usual =
        cluster.call(client ->
            client
                .network()
                .v1()
                .networkPolicies()
                .inNamespace(cluster.namespace())
                .list()
                .getItems());
    for (var policy : usual) {
      if (opens(policy) && selects(policy.getSpec().getPodSelector(), labels)) {
        throw refused("NetworkPolicy", policy.getMetadata().getName());
      }
    }
    for (var policy : policies.all()) {
      if (!policy.getMetadata().getName().equals(own)
          && rules(policy).anyMatch(rule -> opens(rule) && selects(selector(rule), labels))) {
        throw refused("CiliumNetworkPolicy", policy.getMetadata().getName());
      }
    }
  }

  private BackendException.Rejected refused(String kind, String name) {
    return new BackendException.Rejected(
        "egress cannot be limited: the %s %s of the namespace %s selects Mesh's pods too, and what"
                .formatted(kind, name, cluster.namespace())
            + " it allows stays allowed",
        null);
  }

  private static boolean opens(NetworkPolicy policy) {
    var spec = policy.getSpec();
    return spec != null && spec.getEgress() != null && !spec.getEgress().isEmpty();
  }

  private static boolean opens(Map<?, ?> rule) {
    return rule.get("egress") instanceof List<?> egress
        && egress.stream().anyMatch(it -> it instanceof Map<?, ?> what && !what.isEmpty());
  }

  /** It has one rule, or several. */
  private static Stream<Map<?, ?>> rules(GenericKubernetesResource policy) {
    var several = policy.<Object>get("specs") instanceof List<?> specs ? specs : List.of();
    Stream<Object> all =
        Stream.concat(Stream.ofNullable(policy.<Object>get("spec")), several.stream());
    return all.flatMap(it -> it instanceof Map<?, ?> rule ? Stream.of(rule) : Stream.empty());
  }

  private static LabelSelector selector(Map<?, ?> rule) {
    var selector = rule.get("endpointSelector");
    return selector == null
        ? new LabelSelector()
        : Serialization.unmarshal(Serialization.asJson(selector), LabelSelector.class);
  }

  private boolean selects(@Nullable LabelSelector selector, Map<String, String> labels) {
    if (selector == null) {
      return true;
    }
    var equal =
        selector.getMatchLabels() == null ? Map.<String, String>of() : selector.getMatchLabels();
    return equal.entrySet().stream()
            .allMatch(it -> it.getValue().equals(value(it.getKey(), labels)))
        && selector.getMatchExpressions().stream().allMatch(it -> holds(it, labels));
  }

  private boolean holds(LabelSelectorRequirement requirement, Map<String, String> labels) {
    var value = value(requirement.getKey(), labels);
    return switch (requirement.getOperator()) {
      case "In" -> value != null && requirement.getValues().contains(value);
      case "NotIn" -> value == null || !requirement.getValues().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      // Better one refusal too many.
      default -> true;
    };
  }

  private @Nullable String value(String key, Map<String, String> labels) {
    var plain = key.replaceFirst("^(k8s|any):", "");
    return plain.equals(NAMESPACE) ? cluster.namespace() : labels.get(plain);
  }
}
