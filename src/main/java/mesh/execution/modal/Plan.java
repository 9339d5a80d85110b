package mesh.execution.modal;

import java.util.List;

/**
 * What an operator decided about sandboxes here.
 *
 * @param app the vendor's name for what belongs together; made where there is none
 * @param environment of the account; empty for its default
 * @param image in a registry
 * @param regions where sandboxes may be; empty for anywhere
 * @param snapshotSeconds how long the vendor keeps a snapshot; -1 for until it is deleted
 */
record Plan(
    String app,
    String environment,
    String image,
    List<String> regions,
    MemorySizes sizes,
    long snapshotSeconds) {

  Plan {
    regions = List.copyOf(regions);
  }
}
