package mesh.agent;

/** Which backends an agent may be pinned to. The module that knows backends answers. */
public interface RuntimePins {

  /**
   * Whether this backend is enabled. Asked within the transaction that sets the pin, and the answer
   * must hold until that ends: a backend is not disabled meanwhile.
   */
  boolean isEnabled(String backend);
}
