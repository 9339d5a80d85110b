package mesh.database;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.stereotype.Component;

/**
 * Spring's translation, and what it does not know of PostgreSQL: {@code lock_not_available}, which
 * {@code lock_timeout} leads to, passes by itself like a deadlock and is told as one.
 *
 * @see <a href="https://www.postgresql.org/docs/18/errcodes-appendix.html">PostgreSQL error
 *     codes</a>
 */
@Component
class PostgresExceptionTranslator extends SQLExceptionSubclassTranslator {

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  @Override
  protected @Nullable DataAccessException doTranslate(
      String task, @Nullable String sql, SQLException failed) {
    return LOCK_NOT_AVAILABLE.equals(failed.getSQLState())
        ? new CannotAcquireLockException(buildMessage(task, sql, failed), failed)
        : super.doTranslate(task, sql, failed);
  }
}
