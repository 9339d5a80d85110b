package mesh.simulator.namespace;

import java.nio.file.Path;

/**
 * A directory of this machine and where a container sees it.
 *
 * @param target absolute; made if there is none
 */
public record Volume(Path source, String target, boolean readOnly) {}
