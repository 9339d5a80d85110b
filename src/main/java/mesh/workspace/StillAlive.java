package mesh.workspace;

import java.time.Instant;
import java.util.List;
import mesh.credential.Provider;

/**
 * A sandbox whose end its vendor has not confirmed, with a credential in it that was taken back.
 *
 * @param since when its end was first asked for
 * @param providers of the credentials it was given; what to revoke there
 */
public record StillAlive(WorkspaceView workspace, Instant since, List<Provider> providers) {}
