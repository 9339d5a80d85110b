package mesh.secret;

/**
 * A sealed text does not open: it was sealed with a key that is not in the keyset, for another
 * place, or was altered. Whoever stored it must enter it again.
 */
public final class SealBroken extends RuntimeException {

  SealBroken(Place place, Throwable cause) {
    super("the secret in " + place + " does not open: enter it again", cause);
  }
}
