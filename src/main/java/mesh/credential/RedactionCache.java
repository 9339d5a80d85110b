package mesh.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.redaction.Redactions;
import mesh.redaction.SecretSet;
import mesh.secret.Secret;

/**
 * One automaton for all runs that must keep the same secrets: those of one agent mostly do. Found
 * by a digest, since secrets themselves make poor keys.
 */
final class RedactionCache {

  private static final int MOST = 256;

  private final Map<ByteBuffer, Redactions> made = new LinkedHashMap<>(64, 0.75f, true);

  Redactions of(Collection<Secret> secrets) {
    if (secrets.isEmpty()) {
      return Redactions.NONE;
    }
    var key = digest(secrets);
    synchronized (made) {
      var known = made.get(key);
      if (known != null) {
        return known;
      }
    }
    var fresh = SecretSet.of(secrets);
    synchronized (made) {
      made.put(key, fresh);
      if (made.size() > MOST) {
        var eldest = made.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
    return fresh;
  }

  /** All that are in use, or were lately. */
  Collection<Redactions> all() {
    synchronized (made) {
      return List.copyOf(made.values());
    }
  }

  private static ByteBuffer digest(Collection<Secret> secrets) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      secrets.stream()
          .map(secret -> secret.reveal().getBytes(UTF_8))
          .sorted(java.util.Arrays::compare)
          .forEach(value -> {
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, value.length));
            digest.update(value);
          });
      return ByteBuffer.wrap(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
