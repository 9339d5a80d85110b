package mesh.inference;

import java.util.Optional;

/** The connections that operators have set up. Read anew for each run, so a changed key counts. */
public interface Connections {

  Optional<Connection> find(String name);
}
