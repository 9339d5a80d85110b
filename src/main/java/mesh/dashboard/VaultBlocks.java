package mesh.dashboard;

import java.time.Instant;
import java.util.List;
import mesh.agent.Agent;
import mesh.credential.Vault;
import mesh.credential.VaultEntry;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.VaultBlock;
import mesh.dashboard.view.When;
import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;

/** What people handed agents, as pages show it: everything but the values. */
@Component
class VaultBlocks {

  static final String FORM = "vault";

  private final Vault vault;

  VaultBlocks(Vault vault) {
    this.vault = vault;
  }

  /**
   * @param entry whose name stands in the form; empty for a new one
   */
  VaultBlock of(Agent agent, String entry, RefusedForm refused, Instant now) {
    List<VaultBlock.Line> lines =
        vault.list(agent.id()).stream().map(it -> line(agent, it, now)).toList();
    String known = lines.stream().anyMatch(it -> it.name().equals(entry)) ? entry : "";
    return new VaultBlock(
        lines,
        refused.is(FORM) || !known.isEmpty(),
        new Field(
            "vault-name",
            "name",
            "Name",
            "Letters, digits, underscores, dots and dashes. An entry of that name is replaced.",
            refused.typed("vault-name", known),
            refused.error("vault-name")),
        new Field(
            "vault-value",
            "value",
            "Value",
            "At most 64 KiB of text. It is never shown again. Line breaks are kept as line feeds.",
            "",
            refused.error("vault-value")));
  }

  private static VaultBlock.Line line(Agent agent, VaultEntry entry, Instant now) {
    return new VaultBlock.Line(
        VisibleText.line(entry.name()),
        VisibleText.line(entry.variable()),
        When.of(entry.setAt(), now),
        VisibleText.line(entry.setBy()),
        entry.isShort()
            ? "Shorter than %d bytes: output of commands that get it may be full of markers, and it is not looked for in later ones."
                .formatted(Vault.SHORT)
            : "",
        UriComponentsBuilder.fromPath("/agents/{slug}")
            .queryParam("entry", "{entry}")
            .fragment("vault-form")
            .encode()
            .buildAndExpand(agent.slug(), entry.name())
            .toUriString());
  }
}
