package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import mesh.redaction.Redactions;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.run.RunRedactions;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replaces a text in a file of the run's workspace. */
@Component
class WorkspaceEditFileTool implements Tool {

  private static final int MOST_SHOWN = 10;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_edit_file",
          """
          Replaces old_text by new_text in a text file of your workspace, at once and exactly: white \
          space and line ends count, everything else stays as it is, the mode too. old_text must be \
          there once, or as many times as expected_replacements says; otherwise nothing is changed \
          and the lines are named. Secrets in the file that you are not shown survive. Answers the \
          changed places with three lines around them.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["path","old_text","new_text"],
               "properties":{
                 "path":{"type":"string","minLength":1,"maxLength":4096,
                   "description":"Relative to the project directory, or absolute in it, the home directory or /tmp."},
                 "old_text":{"type":"string","minLength":1,"description":"With enough around it to be there once."},
                 "new_text":{"type":"string"},
                 "expected_replacements":{"type":"integer","minimum":1,"maximum":100000,"default":1}}}
              """),
          List.of("workspace"),
          Replayability.EFFECTFUL);

  private final Workspaces workspaces;
  private final ShellTools shell;
  private final RunRedactions redactions;

  WorkspaceEditFileTool(Workspaces workspaces, ShellTools shell, RunRedactions redactions) {
    this.workspaces = workspaces;
    this.shell = shell;
    this.redactions = redactions;
  }

  @Override
  public ToolDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return shell.filesUnavailable(run);
  }

  @Override
  public ObjectNode call(ToolCall call) throws InterruptedException {
    var arguments = call.arguments();
    var marker = redactions.of(call.run()).marker();
    var edit =
        new TextEdit(
            arguments.get("path").asString(),
            text(arguments, "old_text", marker),
            text(arguments, "new_text", marker),
            arguments.path("expected_replacements").asInt(1));
    if (edit.oldText().equals(edit.newText())) {
      throw new ToolRefusal.BadArguments(
          "/new_text", "new_text is old_text: there is nothing to change.");
    }
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.writable(edit.path(), workspace);
          return workspace.changing((sandbox, hidden) ->
              result(edit, FileEditing.edit(sandbox, path, edit, hidden), hidden));
        });
  }

  private static String text(JsonNode arguments, String name, String marker) {
    var text = arguments.get(name).asString();
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw new ToolRefusal.BadArguments("/" + name, name + " holds half of a surrogate pair.");
    }
    if (text.contains(marker)) {
      throw new ToolRefusal.BadArguments(
          "content_redacted",
          "/" + name,
          "%s holds the marker %s, which stands for what is not shown: choose a text beside it, or use a command."
              .formatted(name, marker));
    }
    return text;
  }

  private static ObjectNode result(TextEdit edit, TextEdit.Edited edited, Redactions redactions) {
    var result =
        JsonNodeFactory.instance
            .objectNode()
            .put("path", edit.path())
            .put("size", edited.content().length)
            .put("replacements", edited.changed().size());
    var changes = result.putArray("changes");
    for (int place : edited.changed().subList(0, Math.min(MOST_SHOWN, edited.changed().size()))) {
      var excerpt = edited.around(place, redactions);
      changes.addObject().put("line", excerpt.line()).put("text", excerpt.text());
    }
    return result;
  }
}
