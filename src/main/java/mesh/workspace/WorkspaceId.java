package mesh.workspace;

import java.util.UUID;

/** A row of {@code workspaces}. */
public record WorkspaceId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
