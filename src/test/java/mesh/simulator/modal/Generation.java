package mesh.simulator.modal;

/** The two kinds of sandboxes, which have calls of their own. */
enum Generation {
  V1,
  V2
}
