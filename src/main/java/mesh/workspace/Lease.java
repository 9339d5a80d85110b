package mesh.workspace;

import mesh.run.RunId;

/**
 * The right to use a workspace's sandbox: good while the row still has this fence and is ready, and
 * the run lives.
 */
record Lease(WorkspaceId workspace, RunId run, long fence) {}
