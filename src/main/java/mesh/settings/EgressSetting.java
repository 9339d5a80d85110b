package mesh.settings;

import java.util.List;

/**
 * Where the code in workspaces may connect, as operators set it.
 *
 * @param domains the operators' own hosts, each as the DNS has it, in alphabetical order; without
 *     the built-in ones
 * @param uncontrolled sleeps while the mode is open
 */
public record EgressSetting(EgressMode mode, List<String> domains, Uncontrolled uncontrolled) {

  /** What holds until somebody sets something. */
  public static final EgressSetting OPEN =
      new EgressSetting(EgressMode.OPEN, List.of(), Uncontrolled.REFUSE);

  public EgressSetting {
    domains = List.copyOf(domains);
  }
}
