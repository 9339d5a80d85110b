package mesh.dashboard;

import java.util.UUID;
import java.util.regex.Pattern;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.web.Problem;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Finds what an id or a name belongs to, and goes there. */
@Controller
class SearchController {

  private static final Pattern ID =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final Runs runs;
  private final AgentChoices agents;

  SearchController(Runs runs, AgentChoices agents) {
    this.runs = runs;
    this.agents = agents;
  }

  @GetMapping("/search")
  String search(@RequestParam(defaultValue = "") String q) {
    String wanted = q.strip();
    if (wanted.isEmpty()) {
      return "redirect:/runs";
    }
    if (ID.matcher(wanted).matches()) {
      UUID id = UUID.fromString(wanted);
      if (runs.find(new RunId(id)).isPresent()) {
        return "redirect:/runs/" + id;
      }
    }
    if (agents.idOf(wanted).isPresent()) {
      return "redirect:/agents/" + wanted;
    }
    throw Problem.notFound(
        "nothing_found",
        "Nothing is called \"" + wanted + "\": no run has this id and no agent this name.");
  }
}
