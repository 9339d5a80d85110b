package mesh.secret;

import java.util.List;

/**
 * A module that stores sealed texts shows them at start, so that Mesh refuses to run without the
 * keys they need. Must not itself depend on {@link Sealer}.
 */
public interface SealedValues {

  List<SealedText> stored();
}
