package mesh.execution.catalog;

/** What stands between one sandbox's code and everything else, weakest first. */
public enum Isolation {
  /** A directory of its own and nothing more: code can do whatever Mesh's own user can. */
  DIRECTORY,
  /** Kernel namespaces of an ordinary user. */
  NAMESPACE,
  CONTAINER,
  /** A kernel in user space between code and host. */
  KERNEL_EMULATION,
  /** A virtual machine of its own. */
  MICROVM
}
