package mesh.workspace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds lines in the files of the run's workspace. */
@Component
class WorkspaceGrepTool implements Tool {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_BYTES = 1 << 20;
  private static final int PATTERN_INVALID = 6;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_grep",
          """
          Finds lines in the files of your workspace. The pattern is a POSIX extended regular \
          expression as grep -E takes it ([0-9]+, (a|b), ^, $; no \\d, no look-around). glob limits the \
          files, as in workspace_glob; without a slash it is a name in any directory. Answers path, \
          line and text, sorted by path; lines of context have "context":true. Text is cut after \
          2,000 bytes ("clipped":true). Hidden files count, .git does not; links are not followed, \
          binary files left out. When truncated is true there is more: narrow path, glob or pattern.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["pattern"],
               "properties":{
                 "pattern":{"type":"string","minLength":1,"maxLength":4096},
                 "path":{"type":"string","minLength":1,"maxLength":4096,"default":".",
                   "description":"A directory or a file, relative to the project directory, or absolute."},
                 "glob":{"type":"string","minLength":1,"maxLength":512},
                 "ignore_case":{"type":"boolean","default":false},
                 "context":{"type":"integer","minimum":0,"maximum":20,"default":0,
                   "description":"Lines before and after each match."},
                 "limit":{"type":"integer","minimum":1,"maximum":1000,"default":100,
                   "description":"Most lines that match."}}}
              """),
          List.of("workspace", "shell"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceGrepTool(Workspaces workspaces, ShellTools shell) {
    this.workspaces = workspaces;
    this.shell = shell;
  }

  @Override
  public ToolDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return shell.unavailable(run);
  }

  @Override
  public ObjectNode call(ToolCall call) throws InterruptedException {
    var arguments = call.arguments();
    var pattern = pattern(arguments);
    var glob = glob(arguments);
    var given = arguments.path("path").asString(".");
    int limit = arguments.path("limit").asInt(100);
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.readable(given, workspace);
          var script = new ArrayList<String>();
          script.add(path.value());
          script.add(FilePaths.fence(path, workspace));
          script.add(pattern);
          script.add(arguments.path("ignore_case").asBoolean(false) ? "-i" : "");
          script.add(Integer.toString(arguments.path("context").asInt(0)));
          script.add(Integer.toString(limit + 1));
          script.addAll(glob.wide());
          var look = new ScriptCall(SandboxScript.GREP, script, PATIENCE, MOST_BYTES);
          return workspace.within((sandbox, redactions) -> {
            var ended = look.run(sandbox);
            if (ended.code() != 0) {
              throw refusal(given, pattern, ended.code());
            }
            var printed = ended.printed();
            return result(
                given,
                GrepMatches.read(
                    given, printed, glob, limit, printed.length == MOST_BYTES, redactions));
          });
        });
  }

  private static String pattern(JsonNode arguments) {
    var pattern = arguments.get("pattern").asString();
    if (pattern.chars().anyMatch(it -> it == 0 || it == '\n')) {
      throw new ToolRefusal.BadArguments(
          "pattern_invalid",
          "/pattern",
          "The pattern holds a line feed or a NUL: lines are looked at one by one.");
    }
    return pattern;
  }

  private static Glob glob(JsonNode arguments) {
    try {
      return Glob.anywhere(arguments.path("glob").asString("**"));
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments(
          "pattern_invalid", "/glob", "The glob is none: " + bad.getMessage() + ".");
    }
  }

  private static ToolRefusal refusal(String path, String pattern, int code) {
    return code == PATTERN_INVALID
        ? new ToolRefusal.BadArguments(
            "pattern_invalid",
            "/pattern",
            "'" + pattern + "' is no extended regular expression: grep -E does not take it.")
        : FilePaths.refusedLook(path, code);
  }

  private static ObjectNode result(String path, GrepMatches found) {
    var result = JsonNodeFactory.instance.objectNode().put("path", path);
    var matches = result.putArray("matches");
    for (var line : found.lines()) {
      var match = matches.addObject();
      match.put("path", line.path()).put("line", line.number()).put("text", line.text());
      match.put("context", line.context()).put("clipped", line.clipped());
    }
    return result.put("truncated", found.truncated());
  }
}
