package mesh.access;

import java.net.InetAddress;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Mesh would be reachable from other machines with nothing that encrypts what they say. */
final class UnsafeBind extends RuntimeException {

  UnsafeBind(InetAddress address) {
    super(
        "Mesh does not listen on "
            + address.getHostAddress()
            + " without TLS: set server.ssl, or MESH_BEHIND_PROXY=true if a proxy you trust ends TLS,"
            + " or SERVER_ADDRESS=127.0.0.1");
  }

  /** Prints the one line instead of a stack trace; registered in {@code spring.factories}. */
  static final class Analyzer extends AbstractFailureAnalyzer<UnsafeBind> {

    @Override
    protected FailureAnalysis analyze(Throwable root, UnsafeBind cause) {
      return new FailureAnalysis(cause.getMessage(), null, cause);
    }
  }
}
