package mesh.activity;

import java.util.UUID;

/** Who acts: a person, an API token or Mesh itself; a row of {@code actors}. */
public record ActorId(UUID value) {

  /** Mesh itself: sweeps, first start, the walkthrough. Its row is made at the first start. */
  public static final ActorId SYSTEM = new ActorId(new UUID(0, 1));

  @Override
  public String toString() {
    return value.toString();
  }
}
