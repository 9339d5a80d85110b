package mesh.access;

import mesh.activity.ActorId;
import mesh.database.DataFolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * On the very first start an admin's API token is put into {@code bootstrap-token} in the data
 * folder, for scripts that set Mesh up. It is listed and revoked like any other.
 */
@Component
final class FirstToken {

  static final String FILE = "bootstrap-token";

  private static final Logger log = LoggerFactory.getLogger(FirstToken.class);

  private final ApiTokens tokens;
  private final ApiTokenRepository rows;
  private final DataFolder folder;
  private final TransactionTemplate transactions;

  FirstToken(
      ApiTokens tokens,
      ApiTokenRepository rows,
      DataFolder folder,
      TransactionTemplate transactions) {
    this.tokens = tokens;
    this.rows = rows;
    this.folder = folder;
    this.transactions = transactions;
  }

  /** Does nothing if a token was ever made, revoked ones included. */
  void makeOnce() {
    if (!rows.isEmpty()) {
      return;
    }
    transactions.executeWithoutResult(_ -> {
      rows.lock();
      // Another server on the same new database may have been quicker.
      if (!rows.isEmpty()) {
        return;
      }
      PlainToken token = tokens.mint();
      tokens.insert(ActorId.SYSTEM, "bootstrap", Role.ADMIN, null, token);
      // Before the commit: a row without its file would be a token that nobody has.
      folder.write(FILE, token.reveal() + "\n");
      log.atInfo().addKeyValue("file", folder.path().resolve(FILE)).log("first token written");
    });
  }
}
