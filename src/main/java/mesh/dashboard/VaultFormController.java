package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.credential.Vault;
import mesh.credential.VaultEntry;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Mark;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The forms that change an agent's vault. Values go in and never come back. */
@Controller
@RequestMapping("/agents/{slug}/vault")
class VaultFormController {

  private final Agents agents;
  private final Vault vault;
  private final AgentPages pages;

  VaultFormController(Agents agents, Vault vault, AgentPages pages) {
    this.agents = agents;
    this.vault = vault;
    this.pages = pages;
  }

  @PostMapping
  ModelAndView put(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String value,
      HttpServletRequest request,
      RedirectAttributes next) {
    Agent agent = agents.get(slug);
    try {
      // Forms send every line break as two characters, which keys and certificates do not bear.
      VaultEntry entry =
          vault.put(
              agent.id(), name.strip(), Secret.of(value.replace("\r\n", "\n")), operator.actor());
      Said.on(
          next,
          entry.isShort() ? Mark.ATTENTION : Mark.GOOD,
          "Vault entry %s is set.".formatted(entry.name()),
          "The next command that asks for it finds it in %s.".formatted(entry.variable())
              + (entry.isShort()
                  ? " It is shorter than %d bytes, so redacting it may fill output with markers."
                      .formatted(Vault.SHORT)
                  : ""));
      return back(agent);
    } catch (Problem problem) {
      RefusedForm refused =
          new RefusedForm(VaultBlocks.FORM, Map.of("vault-name", name), List.of(error(problem)));
      ModelAndView again =
          new ModelAndView("agent", "page", pages.page(request, operator, agent, "", refused));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
  }

  @PostMapping("/forget")
  ModelAndView forget(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @RequestParam(defaultValue = "") String name,
      RedirectAttributes next) {
    Agent agent = agents.get(slug);
    vault.delete(agent.id(), name, operator.actor());
    Said.on(
        next,
        Mark.GOOD,
        "Vault entry %s is forgotten.".formatted(name),
        "The next command that asks for it is refused. What earlier commands got stays where they"
            + " put it.");
    return back(agent);
  }

  /**
   * @throws Problem again, if it is none of the form's
   */
  private static FieldError error(Problem problem) {
    return switch (problem.code()) {
      case "vault_name_invalid" ->
          new FieldError(
              "vault-name",
              "Write the name with 1 to 64 letters, digits, underscores, dots and dashes, the first"
                  + " of which is no dot or dash.");
      case "vault_full" -> new FieldError("vault-name", problem.sentence());
      case "vault_value_invalid" ->
          new FieldError(
              "vault-value", problem.sentence() + " Enter text of 1 byte to 64 KiB without NUL.");
      default -> throw problem;
    };
  }

  private static ModelAndView back(Agent agent) {
    return new ModelAndView("redirect:/agents/" + agent.slug());
  }
}
