package mesh.workspace;

import java.sql.SQLException;
import java.util.Set;

/**
 * A pooled connection that the server had closed before it was asked: after a restart, say. To
 * replace it is part of the same read; a timeout or a server that refuses is not this.
 */
final class StaleConnection {

  // PostgreSQL's and the driver's words for it; see "PostgreSQL Error Codes", appendix A.
  private static final Set<String> STATES = Set.of("08003", "08006", "57P01", "57P02");

  private StaleConnection() {}

  static boolean isCauseOf(Throwable failed) {
    for (var cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof java.net.SocketTimeoutException) {
        return false;
      }
    }
    for (var cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && STATES.contains(sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }
}
