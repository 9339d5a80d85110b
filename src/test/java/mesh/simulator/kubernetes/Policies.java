package mesh.simulator.kubernetes;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the network policies let a pod reach. Pods share the machine's network, so a pod has either
 * all of it or none: none if policies for egress select it and none of their rules allows anything
 * that is there. Name servers do not count as something, nor does a pod that there is none of, nor,
 * in Cilium's policies, a host that is allowed by its name. Policies for ingress are kept and have
 * no effect.
 */
final class Policies {

  private final Store store;
  private final Settings settings;

  Policies(Store store, Settings settings) {
    this.store = store;
    this.settings = settings;
  }

  boolean letReach(ObjectNode pod) {
    var namespace = Json.text(pod, "metadata.namespace");
    if (!settings.policyEnforced()) {
      return true;
    }
    var usual =
        specs(ResourceType.POLICY, namespace)
            .filter(Policies::isForEgress)
            .filter(spec -> Selector.matches(spec.path("podSelector"), pod))
            .toList();
    var ciliums =
        specs(ResourceType.CILIUM_POLICY, namespace)
            .filter(spec -> spec.has("egress"))
            .filter(spec -> Selector.matches(spec.path("endpointSelector"), pod))
            .toList();
    return usual.isEmpty() && ciliums.isEmpty()
        || rules(usual).anyMatch(rule -> allowsSomething(rule, namespace))
        || rules(ciliums).anyMatch(rule -> rule.has("toEntities") || rule.has("toCIDR"));
  }

  private Stream<JsonNode> specs(ResourceType type, String namespace) {
    return store.list(type, namespace).objects().stream().map(policy -> policy.path("spec"));
  }

  private static Stream<JsonNode> rules(List<JsonNode> specs) {
    return specs.stream().flatMap(spec -> spec.path("egress").valueStream());
  }

  private static boolean isForEgress(JsonNode spec) {
    return spec.has("policyTypes")
        ? spec.path("policyTypes").valueStream().anyMatch(it -> it.asString("").equals("Egress"))
        : spec.has("egress");
  }

  private boolean allowsSomething(JsonNode rule, String namespace) {
    var ports = rule.path("ports");
    var names =
        !ports.isEmpty()
            && ports.valueStream().allMatch(it -> it.path("port").asString("").equals("53"));
    var peers = rule.path("to");
    return !names
        && (peers.isEmpty() || peers.valueStream().anyMatch(it -> isThere(it, namespace)));
  }

  private boolean isThere(JsonNode peer, String namespace) {
    if (peer.has("ipBlock")) {
      return true;
    }
    var everywhere = peer.has("namespaceSelector");
    return store.list(ResourceType.POD, everywhere ? "" : namespace).objects().stream()
        .filter(pod -> !everywhere || isIn(pod, peer.path("namespaceSelector")))
        .anyMatch(pod -> Selector.matches(peer.path("podSelector"), pod));
  }

  private boolean isIn(ObjectNode pod, JsonNode namespaceSelector) {
    var key = new Key(ResourceType.NAMESPACE, "", Json.text(pod, "metadata.namespace"));
    return store.find(key).filter(it -> Selector.matches(namespaceSelector, it)).isPresent();
  }
}
