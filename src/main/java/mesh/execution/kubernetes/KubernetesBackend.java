package mesh.execution.kubernetes;

/** Pods in a namespace, with open egress and nothing kept. */
record KubernetesBackend(Parts parts) implements PodBackend {}
