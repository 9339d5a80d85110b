package mesh.workspace;

import java.time.Duration;
import mesh.tool.ToolRefusal;

/** What agents are told when their run may not use its sandbox any more. */
final class AuthorityRefusals {

  private AuthorityRefusals() {}

  static ToolRefusal outdated() {
    return new ToolRefusal.NotPossible(
        "authorization_changed",
        "What this agent may act as was changed while the run was under way, so its sandbox was invalidated and is destroyed: start a new run.");
  }

  static ToolRefusal unknowable() {
    return new ToolRefusal.NotPossible(
        "authorization_unknown",
        "Mesh could not check whether this run may still use its sandbox, so the sandbox was invalidated and is destroyed: start a new run.");
  }

  static ToolRefusal unconfirmed() {
    return new ToolRefusal.TryLater(
        "authorization_unconfirmed",
        "Mesh itself stood still for a while and so did not check whether this run may use its sandbox, which ended the call: what it had done until then stays done. Call again to learn whether the sandbox is still there.",
        Duration.ofSeconds(1));
  }

  static ToolRefusal unsafe() {
    return new ToolRefusal.NotPossible(
        "grant_unsafe",
        "Something in the sandbox replaced the files by which credentials are delivered, so nothing was run and the sandbox is destroyed: start a new run.");
  }
}
