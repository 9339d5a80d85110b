package mesh.agentapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import mesh.run.RunId;

/**
 * The name under which the request ids of one client are its own, as two clients of one run both
 * count from zero. It says which run it is of and is kept nowhere, so that any instance knows it
 * and it can neither pile up nor outlive its run. It proves nothing: the token does.
 *
 * @param run who opened it
 * @param id as in the header {@code Mcp-Session-Id}; empty for a client that does without
 */
record McpSession(RunId run, String id) {

  private static final int NONCE = 36;

  static McpSession opened(RunId run, UUID nonce) {
    return new McpSession(run, ofNonce(run, nonce.toString()));
  }

  /** False for what another run opened, or nobody. */
  boolean isGenuine() {
    return id.isEmpty() || (id.length() > NONCE && id.equals(ofNonce(run, id.substring(0, NONCE))));
  }

  private static String ofNonce(RunId run, String nonce) {
    return nonce + "." + digest("session", run, nonce);
  }

  /**
   * A name for one of its requests, the same in all instances.
   *
   * @param requestId as JSON
   */
  String request(String requestId) {
    return digest("request", run, id + "\n" + requestId);
  }

  private static String digest(String what, RunId run, String text) {
    try {
      var sha256 = MessageDigest.getInstance("SHA-256");
      sha256.update((what + "\n" + run.value() + "\n" + text).getBytes(UTF_8));
      return HexFormat.of().formatHex(sha256.digest(), 0, 16);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
