package mesh.execution.local;

import mesh.execution.Size;

/**
 * How much memory a sandbox of each size may use: each size twice the one before, so that a climb
 * always helps.
 *
 * @param small bytes; what is too little for one command of an interpreter helps nobody
 */
record MemorySizes(long small) {

  private static final long LEAST = 16L << 20;

  /**
   * 1, 2, 4 and 8 GiB: the small one holds git, package managers and scripts, the next two hold
   * compilers and tests, and the largest is what a machine that people work on can still spare.
   */
  static final MemorySizes USUAL = new MemorySizes(1L << 30);

  MemorySizes {
    if (small < LEAST) {
      throw new IllegalArgumentException("too little memory for a sandbox: " + small + " bytes");
    }
  }

  long of(Size size) {
    return switch (size) {
      case SMALL -> small;
      case STANDARD -> 2 * small;
      case LARGE -> 4 * small;
      case XLARGE -> 8 * small;
    };
  }
}
