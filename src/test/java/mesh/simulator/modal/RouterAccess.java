package mesh.simulator.modal;

import java.util.function.Supplier;
import modal.client.CommandRouterAccess;

/** Where a container's commands are run, and the token that lets a client do so. */
final class RouterAccess {

  private final Supplier<String> url;
  private final Tokens tokens;
  private final Settings settings;

  /**
   * @param url with the scheme that clients insist on, even where they speak plaintext
   */
  RouterAccess(Supplier<String> url, Tokens tokens, Settings settings) {
    this.url = url;
    this.tokens = tokens;
    this.settings = settings;
  }

  CommandRouterAccess to(ModalSandbox sandbox) {
    if (sandbox.isFinished()) {
      throw Refusal.notFound("Task " + sandbox.taskId());
    }
    var token = tokens.issue(sandbox.taskId(), settings.now(), settings.routerTokenLifetime());
    return CommandRouterAccess.newBuilder().setUrl(url.get()).setJwt(token).build();
  }
}
