package mesh.activity;

import java.util.List;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import org.springframework.stereotype.Component;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The append-only audit. A change and its entry are one transaction: no entry, no change; and the
 * database itself refuses to alter or remove what was written.
 */
@Component
public final class Activity {

  private final ActivityRepository rows;

  Activity(ActivityRepository rows) {
    this.rows = rows;
  }

  /**
   * Writes an entry in the caller's transaction.
   *
   * @throws IllegalTransactionStateException when there is none: the entry could then outlive the
   *     change it tells of, or miss it
   */
  public void record(Entry entry) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalTransactionStateException(
          entry.action() + " must be recorded in the transaction of the change it tells of");
    }
    rows.insert(entry);
  }

  /** What happened, newest first. */
  public Page<Recorded> newest(ActivityFilter filter, Limit limit) {
    return Page.of(
        rows.newest(filter, limit.toFetch()),
        limit,
        recorded -> Cursor.after(recorded.at(), recorded.id()));
  }

  /** The last entry of one action about each connection, such as each runtime's last test. */
  public List<Recorded> lastOfEachConnection(String action) {
    return rows.lastOfEachConnection(action);
  }
}
