package mesh.dashboard.view;

import java.util.List;

/**
 * What surrounds every page of a signed-in operator.
 *
 * @param section key of the navigation entry this page belongs to
 * @param address of this page with its query, for coming back
 */
public record Shell(
    Frame frame,
    String account,
    String role,
    String section,
    String address,
    String search,
    List<Banner> banners) {

  public Shell {
    banners = List.copyOf(banners);
  }

  /** The same with another address, such as one without parameters that mean nothing. */
  public Shell at(String other) {
    return new Shell(frame, account, role, section, other, search, banners);
  }
}
