package mesh.workspace;

import java.util.List;
import java.util.Map;
import mesh.credential.Vault;
import mesh.credential.VaultNames;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.secret.Secret;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;

/** The vault entries that a command names: all of them, or a refusal before anything is run. */
@Component
class VaultReads {

  private final Vault vault;
  private final Runs runs;

  VaultReads(Vault vault, Runs runs) {
    this.vault = vault;
    this.runs = runs;
  }

  /**
   * @return values by name, in the order of the names
   */
  Map<String, Secret> read(RunId run, List<String> names) {
    if (names.isEmpty()) {
      return Map.of();
    }
    var collision = VaultNames.collision(names);
    if (collision.isPresent()) {
      throw new ToolRefusal.BadArguments(
          "secret_names_collide",
          "/secrets",
          "The entries '%s' and '%s' would both be %s: nothing was run. Name one of them at a time."
              .formatted(
                  collision.get().first(), collision.get().second(), collision.get().variable()));
    }
    try {
      return vault.read(runs.find(run).orElseThrow(ToolRefusal.RunOver::new), names);
    } catch (Vault.Refused refused) {
      throw refusal(names.indexOf(refused.name()), refused);
    }
  }

  private static ToolRefusal refusal(int index, Vault.Refused refused) {
    var pointer = "/secrets/" + index;
    return refused.isUnknown()
        ? new ToolRefusal.BadArguments(
            "secret_unknown",
            pointer,
            "You have no vault entry '" + refused.name() + "': nothing was run.")
        : new ToolRefusal.NotPossible(
            "secret_undecryptable",
            "The vault entry '"
                + refused.name()
                + "' cannot be decrypted, so nothing was run: an operator must enter it again.");
  }
}
