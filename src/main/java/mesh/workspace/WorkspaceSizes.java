package mesh.workspace;

import java.util.Locale;
import mesh.execution.Size;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Lets a workspace that ran out of memory climb to the next size, up to the operator's ceiling: its
 * sandbox is replaced, because none can grow.
 */
@Component
class WorkspaceSizes {

  private static final Logger log = LoggerFactory.getLogger(WorkspaceSizes.class);

  private final WorkspaceRepository workspaces;
  private final ReleaseRepository releases;
  private final Placement placement;
  private final Releaser releaser;

  WorkspaceSizes(
      WorkspaceRepository workspaces,
      ReleaseRepository releases,
      Placement placement,
      Releaser releaser) {
    this.workspaces = workspaces;
    this.releases = releases;
    this.placement = placement;
    this.releaser = releaser;
  }

  /** Replaces the sandbox if there is a larger size, and says what the agent should know. */
  String climb(Hold hold) {
    var size = workspaces.sizeOf(hold.lease().workspace());
    var ceiling = placement.ceiling(hold.runtime());
    if (size.compareTo(ceiling) >= 0) {
      return "The sandbox ran out of memory at size %s, the largest that is allowed here: use less memory, or ask an operator to raise the largest size."
          .formatted(word(size));
    }
    var next = size.next();
    if (!releases.replace(hold.lease(), "out_of_memory", next)) {
      return "";
    }
    releaser.wake();
    log.atInfo()
        .addKeyValue("run", hold.lease().run())
        .addKeyValue("workspace", hold.lease().workspace())
        .addKeyValue("size", next)
        .log("workspace climbs");
    return "The sandbox ran out of memory at size %s. It is replaced by a new, empty one of size %s: make again what you need there, then run the command again."
        .formatted(word(size), word(next));
  }

  private static String word(Size size) {
    return size.name().toLowerCase(Locale.ROOT);
  }
}
