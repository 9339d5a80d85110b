package mesh.workspace;

import java.util.UUID;

/** A row of {@code artifacts}. */
public record ArtifactId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
