package mesh.credential;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeSet;
import mesh.agent.AgentId;
import mesh.database.SidePool;
import mesh.run.RunId;
import mesh.secret.Secret;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

/**
 * Serialises the writing of credentials into sandboxes with their revocation. Writers share a lock
 * per agent and provider; a revocation, once committed, takes it alone for a moment and so knows
 * that no write that began before it is still under way. It never waits for a writer with its
 * change uncommitted: a vendor that hangs would then hold up the revocation itself.
 *
 * <p>A writer keeps its transaction open while the vendor takes the file, the one exception to the
 * rule against that: the lock must end with the connection when this process dies. The transaction
 * is on a pool of its own, holds no row, and the write has a deadline. Commands never run under
 * this lock.
 */
@Component
public class DeliveryLocks {

  private final SidePool pool;
  private final SidePool drainPool;
  private final DeliveryLockRepository locks;
  private final Seals seals;

  DeliveryLocks(
      @Qualifier("deliveryPool") SidePool pool,
      @Qualifier("drainPool") SidePool drainPool,
      DeliveryLockRepository locks,
      Seals seals) {
    this.pool = pool;
    this.drainPool = drainPool;
    this.locks = locks;
    this.seals = seals;
  }

  /** How many may write at once; more than these must wait before they call. */
  public int writers() {
    return pool.connections();
  }

  /**
   * Hands {@code write} the tokens that the run was issued, under the locks of their providers.
   *
   * @throws AuthorizationChanged if any of the run's issuances is outdated; nothing was written
   * @throws CredentialBroken if one of the tokens does not open; nothing was written
   * @throws DataAccessException if the locks could not be had, or were lost meanwhile; so {@link
   *     TransactionException}. What was written must then not be relied on
   */
  public void writing(RunId run, AgentId agent, Collection<Provider> providers, Write write)
      throws InterruptedException {
    var transactions = pool.transaction();
    var manager = transactions.getTransactionManager();
    if (manager == null) {
      throw new IllegalStateException("the delivery pool has no transactions");
    }
    var transaction = manager.getTransaction(transactions);
    try {
      new TreeSet<>(providers).forEach(provider -> locks.share(agent, provider));
      // A statement of its own after the locks: its snapshot is younger than they are.
      write.of(tokens(run, agent));
    } catch (InterruptedException | RuntimeException | Error e) {
      abandon(transaction);
      throw e;
    }
    manager.commit(transaction);
  }

  private Map<Provider, Secret> tokens(RunId run, AgentId agent) {
    var tokens = new EnumMap<Provider, Secret>(Provider.class);
    for (var issued : locks.issuedTo(run)) {
      if (!issued.current()) {
        throw new AuthorizationChanged();
      }
      if (issued.available()) {
        tokens.put(
            issued.provider(),
            seals
                .openToken(agent, issued.provider(), issued.token())
                .orElseThrow(() -> new CredentialBroken(issued.provider())));
      }
    }
    return tokens;
  }

  private void abandon(TransactionStatus transaction) {
    try {
      var manager = pool.transaction().getTransactionManager();
      if (manager != null) {
        manager.rollback(transaction);
      }
    } catch (TransactionException lost) {
      // The locks went with the connection.
    }
  }

  /** Whether every write that began before this call has ended; gives up after 5 s. */
  boolean drained(AgentId agent, Provider provider) {
    try {
      drainPool.transaction().executeWithoutResult(_ -> locks.take(agent, provider));
      return true;
    } catch (DataAccessException | TransactionException busy) {
      return false;
    }
  }

  /** A write into a sandbox. */
  @FunctionalInterface
  public interface Write {
    void of(Map<Provider, Secret> tokens) throws InterruptedException;
  }
}
