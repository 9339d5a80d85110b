package mesh.workspace;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import mesh.credential.DeliveryLocks;
import mesh.credential.KnownSecrets;
import mesh.credential.Provider;
import mesh.database.Instances;
import mesh.execution.BackendException;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.fault.FaultPoint;
import mesh.secret.Secret;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Writes grants into sandboxes. Tokens are written under the delivery locks, so that a revocation
 * knows when none is on its way any more; vault values are no part of what a revocation ends.
 */
@Component
class GrantDelivery {

  /**
   * Together with what an adapter takes to end a write that was cut off, below what the server
   * leaves a transaction idle, so that no lock ends before its write.
   */
  private static final Duration WRITE = Duration.ofSeconds(10);

  private final DeliveryTurns turns;
  private final DeliveryLocks locks;
  private final KnownSecrets secrets;
  private final Instances instances;
  private final SecureRandom random;

  GrantDelivery(
      DeliveryTurns turns,
      DeliveryLocks locks,
      KnownSecrets secrets,
      Instances instances,
      SecureRandom random) {
    this.turns = turns;
    this.locks = locks;
    this.secrets = secrets;
    this.instances = instances;
    this.random = random;
  }

  GrantFolder folder(Sandbox sandbox) {
    return new GrantFolder(sandbox, instances.instanceId(), instances::living, random);
  }

  /**
   * Delivers what a command is granted; empty if that is nothing. Before the command is run, the
   * lease must be confirmed once more.
   *
   * @throws Authority.Unknowable if it is uncertain what the run may have
   * @throws mesh.credential.AuthorizationChanged if that has changed
   * @throws mesh.credential.CredentialBroken if a token cannot be decrypted
   * @throws GrantFolder.Unsafe if the sandbox is not fit to hold it
   */
  Optional<Grant> deliver(Hold hold, GrantFolder folder, Map<String, Secret> vault)
      throws InterruptedException {
    if (hold.issued().isEmpty() && vault.isEmpty()) {
      return Optional.empty();
    }
    folder.prepare();
    if (hold.issued().isEmpty()) {
      return Optional.of(write(folder, Map.of(), vault));
    }
    var grant = new AtomicReference<Grant>();
    try (var _ = turns.take(hold.runtime())) {
      locks.writing(
          hold.lease().run(),
          hold.agent(),
          hold.issued(),
          tokens -> {
            FaultPoint.DELIVERY_LOCKED.hit();
            // Known before they are anywhere, whatever becomes of the write.
            var _ = secrets.learn(hold.lease().run(), tokens.values());
            grant.set(write(folder, tokens, vault));
            FaultPoint.DELIVERY_WRITTEN.hit();
          });
    } catch (DataAccessException | TransactionException uncertain) {
      if (Thread.interrupted()) {
        // An interrupt closes the connection that its thread waits for: the database is well. The
        // sandbox may live on, but nobody will take what was written.
        Optional.ofNullable(grant.get()).map(Grant::file).ifPresent(folder::leave);
        throw new InterruptedException("interrupted while a grant was to be delivered");
      }
      throw new Authority.Unknowable("delivery: " + uncertain.getClass().getSimpleName());
    }
    return Optional.of(grant.get());
  }

  private Grant write(GrantFolder folder, Map<Provider, Secret> tokens, Map<String, Secret> vault)
      throws InterruptedException {
    var token = token();
    try (var deadline = Deadline.in(WRITE)) {
      try {
        SandboxPath file = folder.write(GrantFile.content(token, tokens, vault));
        return new Grant(file, token);
      } catch (InterruptedException interrupted) {
        if (deadline.hasPassed()) {
          throw new BackendException.Unavailable(
              "it did not take the grant file within %d s".formatted(WRITE.toSeconds()),
              Duration.ZERO,
              interrupted);
        }
        throw interrupted;
      }
    }
  }

  private String token() {
    var bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
