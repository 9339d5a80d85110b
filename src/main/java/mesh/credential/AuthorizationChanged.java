package mesh.credential;

/** What the run was issued is outdated: somebody changed a permission or a credential since. */
public final class AuthorizationChanged extends RuntimeException {
  AuthorizationChanged() {
    super("an issuance of this run is outdated", null, false, false);
  }
}
