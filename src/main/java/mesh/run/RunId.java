package mesh.run;

import java.util.UUID;

/** A row of {@code runs}. */
public record RunId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
