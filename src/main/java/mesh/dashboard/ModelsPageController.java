package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Mark;
import mesh.settings.ModelChange;
import mesh.settings.ModelConnections;
import mesh.settings.ModelTests;
import mesh.web.Problem;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.node.JsonNodeFactory;

/** Settings, Models: the connections, and the forms that make, change, test and delete one. */
@Controller
@RequestMapping(ModelsPages.ADDRESS)
class ModelsPageController {

  private static final String BACK = "redirect:" + ModelsPages.ADDRESS;

  private final ModelConnections connections;
  private final ModelTests tests;
  private final ModelsPages pages;

  ModelsPageController(ModelConnections connections, ModelTests tests, ModelsPages pages) {
    this.connections = connections;
    this.tests = tests;
    this.pages = pages;
  }

  @GetMapping
  ModelAndView list(@AuthenticationPrincipal Operator operator, HttpServletRequest request) {
    return new ModelAndView("models", "page", pages.page(request, operator, RefusedForm.NONE));
  }

  @PostMapping
  ModelAndView create(
      @AuthenticationPrincipal Operator operator,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    var name = sent.getOrDefault("name", "").strip();
    try {
      demandFree(name);
      connections.save(name, ModelFields.change(sent), operator.actor());
      Said.on(
          next,
          Mark.GOOD,
          "The connection %s is made.".formatted(name),
          "Test it, then choose it on the page of an agent.");
      return new ModelAndView(BACK);
    } catch (Problem problem) {
      return refused(operator, ModelFields.NEW, problem, sent, request);
    }
  }

  @PostMapping("/{name}")
  ModelAndView save(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    demandKnown(name);
    try {
      connections.save(name, ModelFields.change(sent), operator.actor());
      Said.on(
          next,
          Mark.GOOD,
          "The connection %s is saved.".formatted(name),
          "Runs that start from now on use it as it is.");
      return new ModelAndView(BACK);
    } catch (Problem problem) {
      return refused(operator, ModelFields.form(name), problem, sent, request);
    }
  }

  @PostMapping("/{name}/clear")
  String clear(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      RedirectAttributes next) {
    demandKnown(name);
    var change = new ModelChange(null, null, JsonNodeFactory.instance.nullNode(), null, null);
    connections.save(name, change, operator.actor());
    Said.on(
        next,
        Mark.GOOD,
        "The key of %s is cleared.".formatted(name),
        "Mesh has it no more. Copies outside Mesh end only at the service: revoke it there.");
    return BACK;
  }

  @PostMapping("/{name}/delete")
  String delete(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      RedirectAttributes next) {
    try {
      connections.delete(name, operator.actor());
      Said.on(
          next, Mark.GOOD, "The connection %s is deleted.".formatted(name), "Its key is gone too.");
    } catch (Problem problem) {
      if (!problem.code().equals("model_connection_used")) {
        throw problem;
      }
      Said.on(next, Mark.BAD, "%s is not deleted.".formatted(name), problem.sentence());
    }
    return BACK;
  }

  /** Answers when the test is over; how it went is on the page, and on record. */
  @PostMapping("/{name}/test")
  ModelAndView test(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      @RequestParam(defaultValue = "") String model,
      HttpServletRequest request)
      throws InterruptedException {
    try {
      tests.run(name, model, operator.actor());
      return new ModelAndView(BACK + "#test-" + name);
    } catch (Problem problem) {
      if (!problem.code().equals("model_name_invalid")) {
        throw problem;
      }
      var id = ModelFields.id(ModelFields.form(name), "model");
      return again(
          operator,
          new RefusedForm(
              "test-" + name,
              Map.of(id, model),
              List.of(new FieldError(id, VisibleText.line(problem.sentence())))),
          request);
    }
  }

  private void demandKnown(String name) {
    if (connections.find(name).isEmpty()) {
      throw Problem.notFound("model_connection_unknown", "There is no connection of that name.");
    }
  }

  private void demandFree(String name) {
    if (connections.find(name).isPresent()) {
      throw Problem.badRequest("model_connection_invalid", "taken")
          .with(
              "invalid",
              Map.of("name", "There is a connection %s already: choose another.".formatted(name)));
    }
  }

  private ModelAndView refused(
      Operator operator,
      String form,
      Problem problem,
      Map<String, String> sent,
      HttpServletRequest request) {
    return again(
        operator,
        new RefusedForm(
            form, ModelFields.typed(form, sent), ModelFields.errors(form, problem, sent)),
        request);
  }

  private ModelAndView again(Operator operator, RefusedForm refused, HttpServletRequest request) {
    var again = new ModelAndView("models", "page", pages.page(request, operator, refused));
    again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
    return again;
  }
}
