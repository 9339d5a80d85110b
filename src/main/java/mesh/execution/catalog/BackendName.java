package mesh.execution.catalog;

import java.util.regex.Pattern;

/**
 * Identifies a kind of backend in configuration rows. A key to look up, never a value to compare
 * with a constant.
 */
public record BackendName(String value) {

  private static final Pattern FORM = Pattern.compile("[a-z][a-z0-9-]{1,30}");

  public BackendName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not a backend name: " + value);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
