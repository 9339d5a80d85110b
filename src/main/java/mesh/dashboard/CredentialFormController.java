package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.credential.Account;
import mesh.credential.Credentials;
import mesh.credential.Provider;
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

/** The forms that change what an agent acts as. The token goes in and never comes back. */
@Controller
@RequestMapping("/agents/{slug}/credentials/{provider}")
class CredentialFormController {

  private final Agents agents;
  private final Credentials credentials;
  private final AgentPages pages;

  CredentialFormController(Agents agents, Credentials credentials, AgentPages pages) {
    this.agents = agents;
    this.credentials = credentials;
    this.pages = pages;
  }

  @PostMapping
  ModelAndView put(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @PathVariable String provider,
      @RequestParam(defaultValue = "") String token,
      @RequestParam(defaultValue = "") String login,
      @RequestParam(defaultValue = "") String name,
      @RequestParam(defaultValue = "") String email,
      HttpServletRequest request,
      RedirectAttributes next) {
    Agent agent = agents.get(slug);
    Provider to = Provider.named(provider);
    TypedAccount typed = new TypedAccount(login.strip(), name.strip(), email.strip());
    List<FieldError> errors = typed.errors(to, token.isBlank());
    if (errors.isEmpty()) {
      try {
        var changed =
            credentials.put(
                agent.id(), to, Secret.of(token.strip()), typed.account(), operator.actor());
        tell(
            next,
            to,
            "The %s credential is set.".formatted(to.title()),
            "Commands of runs that start from now on get it if delivery is on.",
            changed.drained());
        return back(agent);
      } catch (Problem problem) {
        if (!problem.code().equals("token_invalid")) {
          throw problem;
        }
        errors = List.of(TypedAccount.badToken(to));
      }
    }
    RefusedForm refused = new RefusedForm(to.word(), typed.byField(to), errors);
    ModelAndView again =
        new ModelAndView("agent", "page", pages.page(request, operator, agent, "", refused));
    again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
    return again;
  }

  @PostMapping("/clear")
  ModelAndView clear(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @PathVariable String provider,
      RedirectAttributes next) {
    Agent agent = agents.get(slug);
    Provider of = Provider.named(provider);
    var changed = credentials.clear(agent.id(), of, operator.actor());
    tell(
        next,
        of,
        "The %s credential is cleared.".formatted(of.title()),
        "Mesh has it no more. Copies outside Mesh end only at %s: revoke the token there."
            .formatted(of.title()),
        changed.drained());
    return back(agent);
  }

  @PostMapping("/permission")
  ModelAndView permit(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @PathVariable String provider,
      @RequestParam boolean enabled,
      RedirectAttributes next) {
    Agent agent = agents.get(slug);
    Provider of = Provider.named(provider);
    var changed = credentials.permit(agent.id(), of, enabled, operator.actor());
    tell(
        next,
        of,
        enabled
            ? "%s is delivered to this agent's sandboxes.".formatted(of.title())
            : "%s is kept from this agent's sandboxes.".formatted(of.title()),
        enabled
            ? "Runs that start from now on get it if it is set."
            : "Nothing that was issued before is worth anything in Mesh any more.",
        changed.drained());
    return back(agent);
  }

  /** The decision holds either way; what was under way when it fell is what may differ. */
  private static void tell(
      RedirectAttributes next, Provider of, String title, String text, boolean drained) {
    if (drained) {
      Said.on(next, Mark.GOOD, title, text + " No older delivery is under way.");
    } else {
      Said.on(
          next,
          Mark.ATTENTION,
          title,
          text
              + (" An older delivery was still under way after 5 s. Its sandbox may hold the older"
                      + " token until it is destroyed, which Mesh is doing. If you cannot wait,"
                      + " revoke that token at %s.")
                  .formatted(of.title()));
    }
  }

  private static ModelAndView back(Agent agent) {
    return new ModelAndView("redirect:/agents/" + agent.slug());
  }

  /**
   * Whom the agent acts as, as typed: what is left empty is not told.
   *
   * @param name empty if not told
   * @param email empty if not told
   */
  private record TypedAccount(String login, String name, String email) {

    Account account() {
      return new Account(login, name.isEmpty() ? null : name, email.isEmpty() ? null : email);
    }

    Map<String, String> byField(Provider of) {
      return Map.of(
          id(of, "login"), login,
          id(of, "name"), name,
          id(of, "email"), email);
    }

    List<FieldError> errors(Provider of, boolean withoutToken) {
      List<FieldError> errors = new java.util.ArrayList<>();
      if (withoutToken) {
        errors.add(new FieldError(id(of, "token"), "Enter the token."));
      }
      if (refused(new TypedAccount(login, "", ""))) {
        errors.add(
            new FieldError(
                id(of, "login"),
                "Enter the login of the token's account at %s: letters, digits, dots, dashes and underscores."
                    .formatted(of.title())));
      }
      if (refused(new TypedAccount("x", name, ""))) {
        errors.add(
            new FieldError(
                id(of, "name"),
                "Write the name on one line of at most 255 characters, without < and >."));
      }
      if (refused(new TypedAccount("x", "", email))) {
        errors.add(
            new FieldError(id(of, "email"), "Enter an e-mail address, or leave this empty."));
      }
      return errors;
    }

    static FieldError badToken(Provider of) {
      return new FieldError(
          id(of, "token"),
          "Enter the token alone: 1 to 4,096 visible ASCII characters without spaces.");
    }

    private static boolean refused(TypedAccount part) {
      try {
        var _ = part.account();
        return false;
      } catch (Problem wrong) {
        return true;
      }
    }

    private static String id(Provider of, String field) {
      return of.word() + "-" + field;
    }
  }
}
