package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import mesh.execution.EgressPolicy;
import mesh.execution.SandboxSpec;

/** The network policies of sandboxes, one each, of its pod's name. */
final class Policies {

  static final ResourceDefinitionContext KIND =
      new ResourceDefinitionContext.Builder()
          .withGroup("cilium.io")
          .withVersion("v2")
          .withKind("CiliumNetworkPolicy")
          .withPlural("ciliumnetworkpolicies")
          .withNamespaced(true)
          .build();

  /** How many names deep a pattern goes: a star stands for one part of a name. */
  private static final int DEPTH = 4;

  private final Cluster cluster;

  Policies(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Makes it unless there is one. */
  void create(SandboxSpec spec, EgressPolicy policy, OwnerReference owner)
      throws InterruptedException {
    var builder =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(KIND.getGroup() + "/" + KIND.getVersion())
            .withKind(KIND.getKind());
    builder
        .withNewMetadata()
        .withName(spec.key().value())
        .withLabels(Manifest.labels(spec))
        .withOwnerReferences(owner)
        .endMetadata();
    builder.addToAdditionalProperties(
        "spec",
        Map.of(
            "endpointSelector",
            Map.of("matchLabels", Map.of(Manifest.SANDBOX, spec.key().value())),
            "egress",
            rules(policy)));
    cluster.create(client ->
        client
            .genericKubernetesResources(KIND)
            .inNamespace(cluster.namespace())
            .resource(builder.build())
            .create());
  }

  /** One rule that allows nothing: none at all would deny nothing. */
  private static List<Map<String, Object>> rules(EgressPolicy policy) {
    if (policy.domains().isEmpty()) {
      return List.of(Map.of());
    }
    var names = policy.domains().stream().sorted().flatMap(Policies::matches).toList();
    Map<String, Object> lookUp =
        Map.of(
            "toEndpoints",
            List.of(
                Map.of(
                    "matchLabels",
                    Map.of(
                        "k8s:io.kubernetes.pod.namespace",
                        "kube-system",
                        "k8s:k8s-app",
                        "kube-dns"))),
            "toPorts",
            List.of(
                Map.of(
                    "ports",
                    List.of(Map.of("port", "53", "protocol", "ANY")),
                    // Without these, any name could be looked up and so carry data out.
                    "rules",
                    Map.of("dns", names))));
    return List.of(lookUp, Map.of("toFQDNs", names));
  }

  private static Stream<Map<String, String>> matches(String domain) {
    return domain.startsWith("*.")
        ? Stream.iterate(domain, it -> "*." + it).limit(DEPTH).map(it -> Map.of("matchPattern", it))
        : Stream.of(Map.of("matchName", domain));
  }

  List<GenericKubernetesResource> all() throws InterruptedException {
    return cluster.call(client ->
        client.genericKubernetesResources(KIND).inNamespace(cluster.namespace()).list().getItems());
  }

  void delete(String name) throws InterruptedException {
    cluster.delete(
        "apis/cilium.io/v2", "ciliumnetworkpolicies/" + name, Cluster.inBackground().build());
  }
}
