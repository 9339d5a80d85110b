package mesh.workspace;

import mesh.credential.KnownSecrets;
import org.springframework.stereotype.Component;

/** What every {@link Workspace} works with. */
@Component
record WorkspaceContext(
    WorkspaceRepository rows,
    ReleaseRepository releases,
    Releaser releaser,
    InFlight inFlight,
    Authority authority,
    Condemned condemned,
    GrantDelivery grants,
    KnownSecrets secrets,
    Artifacts artifacts,
    WorkspaceSizes sizes,
    WorkspaceStages stages,
    VendorCalls vendor) {}
