package mesh.settings;

/** What happens to a new workspace on a runtime that cannot keep an allowlist. */
public enum Uncontrolled {
  /** It is refused before anything is made. */
  REFUSE,
  /** It is made, and may connect anywhere. */
  ALLOW
}
