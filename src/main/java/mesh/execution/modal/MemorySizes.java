package mesh.execution.modal;

import mesh.execution.Size;
import modal.client.Resources;

/**
 * How much of a machine a sandbox of each size has: each twice the one before, so that a climb
 * always helps. Memory is reserved and the limit too; of processors, a sandbox may use more than is
 * reserved while others leave them idle.
 *
 * @param small MiB; what is too little for one command of an interpreter helps nobody
 */
record MemorySizes(int small) {

  private static final int LEAST = 16;

  /** The vendor counts whole cores, of two hardware threads each. */
  private static final int SMALL_MILLI_CORES = 500;

  /** 1, 2, 4 and 8 GiB. */
  static final MemorySizes USUAL = new MemorySizes(1024);

  MemorySizes {
    if (small < LEAST) {
      throw new IllegalArgumentException("too little memory for a sandbox: " + small + " MiB");
    }
  }

  Resources of(Size size) {
    int times =
        switch (size) {
          case SMALL -> 1;
          case STANDARD -> 2;
          case LARGE -> 4;
          case XLARGE -> 8;
        };
    return Resources.newBuilder()
        .setMemoryMb(small * times)
        .setMemoryMbMax(small * times)
        .setMilliCpu(SMALL_MILLI_CORES * times)
        .build();
  }
}
