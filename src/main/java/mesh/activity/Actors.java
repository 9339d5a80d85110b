package mesh.activity;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/** Everyone who ever acted. Rows stay when the person or token is gone, so that the audit reads. */
@Component
public final class Actors {

  private final ActorRepository rows;
  private final Supplier<UUID> ids;

  Actors(ActorRepository rows, Supplier<UUID> ids) {
    this.rows = rows;
    this.ids = ids;
  }

  /** Adds a person, in the caller's transaction if there is one. */
  public ActorId addUser(String name) {
    return add("user", name);
  }

  /** Adds an API token, in the caller's transaction if there is one. */
  public ActorId addToken(String name) {
    return add("token", name);
  }

  public Optional<String> name(ActorId actor) {
    return rows.name(actor);
  }

  private ActorId add(String kind, String name) {
    ActorId actor = new ActorId(ids.get());
    rows.insert(actor, kind, name);
    return actor;
  }
}
