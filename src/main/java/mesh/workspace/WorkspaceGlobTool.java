package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import mesh.execution.SandboxPath;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Finds files by their names in the run's workspace. */
@Component
class WorkspaceGlobTool implements Tool {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_BYTES = 4 << 20;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_glob",
          """
          Finds files in your workspace by their paths below a directory, sorted. In the pattern * and \
          ? stay within one name, ** crosses directories (**/*.java is any Java file, *.java only \
          those directly there), [a-z] and [!a-z] are sets, {a,b} alternatives, \\ takes the next \
          character as it is. Hidden files count; what is in .git only if the pattern names it. Links \
          are named, not followed; directories are not named. When truncated is true there is more.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["pattern"],
               "properties":{
                 "pattern":{"type":"string","minLength":1,"maxLength":512},
                 "path":{"type":"string","minLength":1,"maxLength":4096,"default":".",
                   "description":"A directory, relative to the project directory, or absolute."},
                 "limit":{"type":"integer","minimum":1,"maximum":5000,"default":500}}}
              """),
          List.of("workspace", "shell"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceGlobTool(Workspaces workspaces, ShellTools shell) {
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
    var pattern = call.arguments().get("pattern").asString();
    var glob = glob(pattern);
    var given = call.arguments().path("path").asString(".");
    int limit = call.arguments().path("limit").asInt(500);
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.readable(given, workspace);
          var look =
              new ScriptCall(
                  SandboxScript.GLOB,
                  arguments(path, workspace, pattern, glob),
                  PATIENCE,
                  MOST_BYTES);
          return workspace.within((sandbox, redactions) -> {
            var ended = look.run(sandbox);
            if (ended.code() != 0) {
              throw FilePaths.refusedLook(given, ended.code());
            }
            var printed = ended.printed();
            var names = new String(redactions.window(printed, 0, printed.length).bytes(), UTF_8);
            return result(given, glob, names, limit, printed.length == MOST_BYTES);
          });
        });
  }

  private static List<String> arguments(
      SandboxPath path, Workspace workspace, String pattern, Glob glob) {
    var arguments = new ArrayList<String>();
    arguments.add(path.value());
    arguments.add(FilePaths.fence(path, workspace));
    arguments.add(pattern.contains(".git") ? "all" : "");
    arguments.addAll(glob.wide());
    return arguments;
  }

  private static Glob glob(String pattern) {
    try {
      return Glob.of(pattern);
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments(
          "pattern_invalid", "/pattern", "The pattern is none: " + bad.getMessage() + ".");
    }
  }

  private static ObjectNode result(
      String path, Glob glob, String names, int limit, boolean cutShort) {
    var whole = names.substring(0, names.lastIndexOf('\0') + 1);
    var found =
        Arrays.stream(whole.split("\0", -1))
            .filter(name -> name.startsWith("./"))
            .map(name -> name.substring(2))
            .filter(glob::matches)
            .sorted()
            .toList();
    var result = JsonNodeFactory.instance.objectNode().put("path", path);
    var paths = result.putArray("paths");
    found.stream().limit(limit).forEach(name -> paths.add(FilePaths.below(path, name)));
    return result.put("truncated", cutShort || found.size() > limit);
  }
}
