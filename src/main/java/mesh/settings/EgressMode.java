package mesh.settings;

/** Whether the code in workspaces may connect anywhere. */
public enum EgressMode {
  /** Anywhere. */
  OPEN,
  /** Only to the hosts on the list. */
  ALLOWLIST
}
