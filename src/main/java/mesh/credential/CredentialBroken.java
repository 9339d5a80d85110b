package mesh.credential;

/** A credential is set, but does not open: not the same as having none. */
public final class CredentialBroken extends RuntimeException {

  CredentialBroken(Provider provider) {
    super(sentence(provider), null, false, false);
  }

  static String sentence(Provider provider) {
    return "The agent's %s credential is set but cannot be decrypted: an operator must enter it again."
        .formatted(provider.title());
  }

  /** What happened and what to do. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
