package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import mesh.execution.Size;

/**
 * What each size comes to, twice the one before in everything.
 *
 * <p>Memory is asked for as a whole, so that no node hands out what it does not have; processors
 * are idle most of the time and are asked for by the quarter. Disk has margin: whoever goes over
 * its limit loses the whole pod.
 *
 * @param smallMebibytes memory of the small size
 */
record Tiers(int smallMebibytes) {

  private static final int LEAST = 16;

  Tiers {
    if (smallMebibytes < LEAST) {
      throw new IllegalArgumentException("too little memory for a pod: " + smallMebibytes + " MiB");
    }
  }

  private static int factor(Size size) {
    return switch (size) {
      case SMALL -> 1;
      case STANDARD -> 2;
      case LARGE -> 4;
      case XLARGE -> 8;
    };
  }

  ResourceRequirements of(Size size) {
    int factor = factor(size);
    var memory = new Quantity(Long.toString((long) smallMebibytes * factor), "Mi");
    return new ResourceRequirementsBuilder()
        .addToRequests("cpu", new Quantity(Integer.toString(250 * factor), "m"))
        .addToRequests("memory", memory)
        .addToRequests("ephemeral-storage", new Quantity(Integer.toString(factor), "Gi"))
        .addToLimits("cpu", new Quantity(Integer.toString(factor)))
        .addToLimits("memory", memory)
        .addToLimits("ephemeral-storage", disk(size))
        .build();
  }

  static Quantity disk(Size size) {
    return new Quantity(Integer.toString(8 * factor(size)), "Gi");
  }
}
