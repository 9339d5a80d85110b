package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Lists a directory in the run's workspace. */
@Component
class WorkspaceListTool implements Tool {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MOST_BYTES = 4 << 20;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_list",
          """
          Lists a directory in your workspace and, with depth, those below it: path, type (file, \
          directory, link, other), size in bytes and mode, sorted by path, hidden ones too. Links are \
          not followed. When truncated is true there is more: name a smaller part.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,
               "properties":{
                 "path":{"type":"string","minLength":1,"maxLength":4096,"default":".",
                   "description":"A directory, relative to the project directory, or absolute."},
                 "depth":{"type":"integer","minimum":1,"maximum":20,"default":1},
                 "limit":{"type":"integer","minimum":1,"maximum":5000,"default":500}}}
              """),
          List.of("workspace", "shell"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceListTool(Workspaces workspaces, ShellTools shell) {
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
    var given = call.arguments().path("path").asString(".");
    var depth = Integer.toString(call.arguments().path("depth").asInt(1));
    int limit = call.arguments().path("limit").asInt(500);
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.readable(given, workspace);
          var look =
              new ScriptCall(
                  SandboxScript.LIST,
                  List.of(
                      path.value(),
                      FilePaths.fence(path, workspace),
                      depth,
                      Integer.toString(MOST_BYTES)),
                  PATIENCE,
                  MOST_BYTES);
          return workspace.within((sandbox, redactions) -> {
            var ended = look.run(sandbox);
            if (ended.code() != 0) {
              throw FilePaths.refusedLook(given, ended.code());
            }
            var whole =
                new String(
                    redactions.window(ended.printed(), 0, ended.printed().length).bytes(), UTF_8);
            return result(
                given, DirectoryEntry.read(whole), limit, ended.printed().length == MOST_BYTES);
          });
        });
  }

  private static ObjectNode result(
      String path, List<DirectoryEntry> found, int limit, boolean cutShort) {
    var result = JsonNodeFactory.instance.objectNode().put("path", path);
    var entries = result.putArray("entries");
    found.stream()
        .sorted(Comparator.comparing(DirectoryEntry::path))
        .limit(limit)
        .forEach(entry -> entries.add(entry.json(FilePaths.below(path, entry.path()))));
    return result.put("truncated", cutShort || found.size() > limit);
  }
}
