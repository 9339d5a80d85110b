package mesh.execution;

/**
 * Everything a backend may do beyond {@link Backend}. A backend has a capability exactly when its
 * class has the type, so "can it?" is answered without asking a vendor.
 */
public enum Capability {
  SHELL(
      Shell.class,
      "Runs ordinary programs: sh, git, package managers.",
      "Only snippets can be evaluated: no shell, no git, no packages, and no credentials can be"
          + " delivered."),
  EGRESS_CONTROL(
      EgressControl.class,
      "Outbound network access can be restricted.",
      "Outbound network access cannot be restricted: code can connect anywhere."),
  HIBERNATION(
      Hibernator.class,
      "A conversation's next run can wake the same files.",
      "Files are lost when a run ends: the next run of a conversation starts anew."),
  SNAPSHOTS(
      Snapshotter.class,
      "Project files can be kept and put into the next workspace.",
      "This runtime cannot keep snapshots: every run clones."),
  SIZES(
      Sized.class,
      "Honours workspace sizes and reports when memory runs out.",
      "Workspace size cannot be chosen and running out of memory may look like a plain failure."),
  LIFETIME_LIMIT(
      LifetimeLimited.class,
      "The vendor ends a workspace by itself when its time is over, even if Mesh stands still.",
      "If Mesh itself stands still, a workspace stays until Mesh runs again; commands end at their"
          + " own limit only where the runtime can see to it.");

  private final Class<?> type;
  private final String withIt;
  private final String withoutIt;

  Capability(Class<?> type, String withIt, String withoutIt) {
    this.type = type;
    this.withIt = withIt;
    this.withoutIt = withoutIt;
  }

  /** What an operator is told about a backend that has this. */
  public String withIt() {
    return withIt;
  }

  /** What an operator is told about a backend that lacks this. */
  public String withoutIt() {
    return withoutIt;
  }

  boolean isOf(Class<? extends Backend> backend) {
    return type.isAssignableFrom(backend);
  }
}
