package mesh.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A few connections of their own for work that must go on when all others are taken, with deadlines
 * of their own. Every wait ends by itself: {@code statement_timeout} is the server's and does
 * nothing when the server hangs, so the socket has a deadline too.
 */
public final class SidePool implements AutoCloseable {

  private final HikariDataSource source;
  private final int connections;
  private final JdbcClient jdbc;
  private final TransactionTemplate transaction;

  private SidePool(HikariDataSource source, int connections) {
    var template = new JdbcTemplate(source);
    template.setExceptionTranslator(new PostgresExceptionTranslator());
    this.source = source;
    this.connections = connections;
    this.jdbc = JdbcClient.create(template);
    var transactions = new JdbcTransactionManager(source);
    // A commit that fails here has lost its connection: there is nothing left to roll back.
    transactions.setRollbackOnCommitFailure(false);
    this.transaction = new TransactionTemplate(transactions);
  }

  /**
   * @param connections most at once; none is opened before it is needed
   * @param deadline for connecting and each answer, at the socket
   * @param options what the server is told at connection
   */
  static SidePool open(
      JdbcConnectionDetails details,
      String name,
      int connections,
      Duration deadline,
      String options) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(details.getJdbcUrl());
    config.setUsername(details.getUsername());
    config.setPassword(details.getPassword());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(0);
    config.setInitializationFailTimeout(-1);
    config.setConnectionTimeout(Math.min(3000, deadline.toMillis()));
    config.setValidationTimeout(Math.min(2000, deadline.toMillis()));
    config.addDataSourceProperty("ApplicationName", "mesh " + name);
    config.addDataSourceProperty("connectTimeout", 3);
    config.addDataSourceProperty("socketTimeout", deadline.toSeconds());
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.addDataSourceProperty("targetServerType", "primary");
    config.addDataSourceProperty("logServerErrorDetail", false);
    config.addDataSourceProperty("options", options);
    return new SidePool(new HikariDataSource(config), connections);
  }

  /** How many transactions there can be at once. */
  public int connections() {
    return connections;
  }

  public JdbcClient jdbc() {
    return jdbc;
  }

  /** Transactions on this pool; statements of {@link #jdbc()} join them. */
  public TransactionTemplate transaction() {
    return transaction;
  }

  @Override
  public void close() {
    source.close();
  }
}
