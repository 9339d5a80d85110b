package mesh.workspace;

import java.util.List;
import mesh.credential.AuthorizationChanged;
import mesh.credential.CredentialBroken;
import mesh.execution.BackendException;
import mesh.tool.ToolRefusal;
import mesh.workspace.InFlight.Operation;

/** Lets operations into one sandbox while its run may use it, and says in words why not. */
final class AuthorityGuard {

  private final Hold hold;
  private final WorkspaceContext context;

  AuthorityGuard(Hold hold, WorkspaceContext context) {
    this.hold = hold;
    this.context = context;
  }

  /**
   * Does something in the sandbox under the run's authority: confirmed before, asked again each
   * second by {@link AuthorityWatch}, which ends it if the answer is not yes.
   */
  <T> T run(Guarded<T> use) throws InterruptedException {
    try (var operation = begin()) {
      try {
        return use.within(operation);
      } catch (InterruptedException ended) {
        throw because(operation, ended);
      } catch (BackendException trouble) {
        throw because(operation, trouble);
      } catch (Authority.Outdated | AuthorizationChanged changed) {
        throw AuthorityRefusals.outdated();
      } catch (Authority.Unknowable unknowable) {
        throw condemn(unknowable);
      } catch (CredentialBroken broken) {
        throw new ToolRefusal.NotPossible("credential_undecryptable", broken.sentence());
      } catch (GrantFolder.Unsafe unsafe) {
        var _ = context.releases().retire(hold.lease().workspace(), "grant_unsafe");
        context.releaser().wake();
        throw AuthorityRefusals.unsafe();
      }
    }
  }

  private Operation begin() throws InterruptedException {
    try {
      return context.inFlight().begin(hold, context.authority().confirm(hold.lease()));
    } catch (Authority.Outdated outdated) {
      context.releaser().wake();
      throw AuthorityRefusals.outdated();
    } catch (Authority.Unknowable unknowable) {
      throw condemn(unknowable);
    }
  }

  private ToolRefusal condemn(Authority.Unknowable unknowable) {
    context.condemned().add(hold, String.valueOf(unknowable.getMessage()));
    return AuthorityRefusals.unknowable();
  }

  /** What ended the operation, which the vendor may have reported in words of its own. */
  private static <E extends Exception> E because(Operation operation, E ended) {
    return switch (operation.cause()) {
      case OUTDATED -> throw AuthorityRefusals.outdated();
      case UNKNOWABLE -> throw AuthorityRefusals.unknowable();
      case UNCONFIRMED -> throw AuthorityRefusals.unconfirmed();
      case RELEASED -> ended;
      case null -> ended;
    };
  }

  /** A sandbox that Mesh itself destroyed is not lost: the refusal says why it went. */
  void demandThatItWasNotTakenAway() throws InterruptedException {
    if (context.condemned().has(hold.lease().workspace())) {
      throw AuthorityRefusals.unknowable();
    }
    var standing =
        context
            .authority()
            .standing(List.of(hold.lease().workspace()))
            .get(hold.lease().workspace());
    if (standing != null && standing.outdated()) {
      throw AuthorityRefusals.outdated();
    }
  }

  interface Guarded<T> {
    T within(Operation operation) throws InterruptedException;
  }
}
