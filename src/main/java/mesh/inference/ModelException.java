package mesh.inference;

/** A model gave no reply. The kinds are told apart by what helps. The message is for people. */
public abstract sealed class ModelException extends RuntimeException {

  private ModelException(String sentence) {
    super(sentence);
  }

  private ModelException(String sentence, Throwable cause) {
    super(sentence, cause);
  }

  /** A sentence for an operator: what happened and what to do. Holds no key. */
  public String sentence() {
    return String.valueOf(getMessage());
  }

  /** Time helps: busy, overloaded or not reached, through all attempts. */
  public static final class Unavailable extends ModelException {
    public Unavailable(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  /** An operator helps: no such connection or model, a key that is not accepted, no credit. */
  public static final class Rejected extends ModelException {
    public Rejected(String sentence) {
      super(sentence);
    }
  }

  /** A shorter prompt helps: the model's service counts more tokens than the window holds. */
  public static final class TooLong extends ModelException {
    public TooLong(String sentence) {
      super(sentence);
    }
  }

  /** Nobody knows: the service answered what its protocol does not foresee. */
  public static final class Unexpected extends ModelException {
    public Unexpected(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }
}
