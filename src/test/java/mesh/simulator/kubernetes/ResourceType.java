package mesh.simulator.kubernetes;

import java.util.List;

/** A kind of object the API serves. */
record ResourceType(
    String group, String plural, String kind, boolean namespaced, List<String> subresources) {

  static final ResourceType NAMESPACE = cluster("", "namespaces", "Namespace");
  static final ResourceType NODE = cluster("", "nodes", "Node");
  static final ResourceType POD =
      new ResourceType("", "pods", "Pod", true, List.of("status", "exec", "log", "eviction"));
  static final ResourceType EVENT = namespaced("", "events", "Event");
  static final ResourceType CONFIG_MAP = namespaced("", "configmaps", "ConfigMap");
  static final ResourceType SECRET = namespaced("", "secrets", "Secret");
  static final ResourceType SERVICE_ACCOUNT = namespaced("", "serviceaccounts", "ServiceAccount");
  static final ResourceType CLAIM =
      namespaced("", "persistentvolumeclaims", "PersistentVolumeClaim");
  static final ResourceType QUOTA = namespaced("", "resourcequotas", "ResourceQuota");
  static final ResourceType LIMIT_RANGE = namespaced("", "limitranges", "LimitRange");
  static final ResourceType POLICY =
      namespaced("networking.k8s.io", "networkpolicies", "NetworkPolicy");
  static final ResourceType CILIUM_POLICY =
      namespaced("cilium.io", "ciliumnetworkpolicies", "CiliumNetworkPolicy");
  static final ResourceType SNAPSHOT =
      namespaced("snapshot.storage.k8s.io", "volumesnapshots", "VolumeSnapshot");
  static final ResourceType SNAPSHOT_CLASS =
      cluster("snapshot.storage.k8s.io", "volumesnapshotclasses", "VolumeSnapshotClass");
  static final ResourceType STORAGE_CLASS =
      cluster("storage.k8s.io", "storageclasses", "StorageClass");
  static final ResourceType RUNTIME_CLASS =
      cluster("node.k8s.io", "runtimeclasses", "RuntimeClass");
  static final ResourceType PRIORITY_CLASS =
      cluster("scheduling.k8s.io", "priorityclasses", "PriorityClass");
  static final ResourceType ACCESS_REVIEW =
      cluster("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview");

  static final List<ResourceType> ALL =
      List.of(
          NAMESPACE,
          NODE,
          POD,
          EVENT,
          CONFIG_MAP,
          SECRET,
          SERVICE_ACCOUNT,
          CLAIM,
          QUOTA,
          LIMIT_RANGE,
          namespaced("", "services", "Service"),
          cluster("", "persistentvolumes", "PersistentVolume"),
          namespaced("coordination.k8s.io", "leases", "Lease"),
          POLICY,
          CILIUM_POLICY,
          SNAPSHOT,
          SNAPSHOT_CLASS,
          STORAGE_CLASS,
          RUNTIME_CLASS,
          PRIORITY_CLASS,
          ACCESS_REVIEW);

  private static ResourceType namespaced(String group, String plural, String kind) {
    return new ResourceType(group, plural, kind, true, List.of("status"));
  }

  private static ResourceType cluster(String group, String plural, String kind) {
    return new ResourceType(group, plural, kind, false, List.of("status"));
  }

  /** Every group has one version. */
  static String version(String group) {
    return group.equals("cilium.io") ? "v2" : "v1";
  }

  /** For example {@code networking.k8s.io/v1}. */
  String apiVersion() {
    return group.isEmpty() ? "v1" : group + "/" + version(group);
  }

  /** As messages name it, for example {@code networkpolicies.networking.k8s.io}. */
  String qualified() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
