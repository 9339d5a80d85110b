package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TypedLocalObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import mesh.execution.Size;
import org.jspecify.annotations.Nullable;

/**
 * Project directories on volumes of a storage class. Claims are written into the pod: the cluster
 * makes them for it and deletes them with it, so none can be forgotten.
 *
 * @param storageClass empty for the cluster's default
 */
record Claims(String storageClass) {

  private static final String FIRST = "project";
  private static final String SECOND = "restored";

  Volume fresh(Size size) {
    return volume(FIRST, Tiers.disk(size), null);
  }

  /**
   * A volume that begins as a snapshot was, for a pod that takes another's place. Named unlike that
   * one's, whose claim may not be gone yet.
   *
   * @param atLeast what the snapshot needs; volumes may be larger and not smaller
   */
  Volume restored(Volume before, Size size, Quantity atLeast, String snapshot) {
    var wanted = Tiers.disk(size);
    var larger = wanted.getNumericalAmount().compareTo(atLeast.getNumericalAmount()) < 0;
    return volume(
        before.getName().equals(FIRST) ? SECOND : FIRST,
        larger ? atLeast : wanted,
        new TypedLocalObjectReference("snapshot.storage.k8s.io", "VolumeSnapshot", snapshot));
  }

  /** The name that the cluster gives to the claim of a pod's volume. */
  static String claim(String pod, Volume volume) {
    return pod + "-" + volume.getName();
  }

  private Volume volume(String name, Quantity size, @Nullable TypedLocalObjectReference source) {
    var builder = new VolumeBuilder().withName(name);
    builder
        .withNewEphemeral()
        .withNewVolumeClaimTemplate()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName(storageClass.isEmpty() ? null : storageClass)
        .withDataSource(source)
        .withNewResources()
        .addToRequests("storage", size)
        .endResources()
        .endSpec()
        .endVolumeClaimTemplate()
        .endEphemeral();
    return builder.build();
  }
}
