package mesh.execution.local;

import java.nio.file.Path;

/** Mesh's data directory: where sandboxes live unless an operator names another place. */
record DataDirectory(Path path) {}
