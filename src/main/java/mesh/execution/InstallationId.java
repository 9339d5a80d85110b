package mesh.execution;

import java.util.regex.Pattern;

/**
 * Tells what one installation of Mesh made at a vendor from what another made in the same account.
 *
 * @param value 10 characters {@code [a-z0-9]}
 */
public record InstallationId(String value) {

  private static final Pattern FORM = Pattern.compile("[a-z0-9]{10}");

  public InstallationId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not an installation id: " + value);
    }
  }
}
