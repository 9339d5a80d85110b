package mesh.simulator.kubernetes;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happened to one object.
 *
 * @param object as it was afterwards, or last of all
 * @param before as it was until then; null of one that came into being
 */
record Change(
    long version, Instant at, Kind kind, Key key, ObjectNode object, @Nullable ObjectNode before) {

  enum Kind {
    ADDED,
    MODIFIED,
    DELETED
  }
}
