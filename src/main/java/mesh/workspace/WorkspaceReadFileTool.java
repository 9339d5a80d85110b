package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
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

/** Reads a window of a file in the run's workspace. */
@Component
class WorkspaceReadFileTool implements Tool {

  private static final int DEFAULT_BYTES = 65_536;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_read_file",
          """
          Reads a file in your workspace, up to max_bytes from offset on. Text comes as utf-8, cut \
          between characters; anything else as base64. Read on at next_offset until eof is true.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["path"],
               "properties":{
                 "path":{"type":"string","minLength":1,"maxLength":4096,
                   "description":"Relative to the project directory, or absolute."},
                 "offset":{"type":"integer","minimum":0,"default":0},
                 "max_bytes":{"type":"integer","minimum":1,"maximum":4194304,"default":65536}}}
              """),
          List.of("workspace"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceReadFileTool(Workspaces workspaces, ShellTools shell) {
    this.workspaces = workspaces;
    this.shell = shell;
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
    var given = call.arguments().get("path").asString();
    long offset = call.arguments().path("offset").asLong(0);
    int maxBytes = call.arguments().path("max_bytes").asInt(DEFAULT_BYTES);
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.readable(given, workspace);
          return switch (workspace.read(path, offset, maxBytes)) {
            case WindowRead.Content content -> result(given, content);
            case WindowRead.Absent() ->
                throw new ToolRefusal.BadArguments(
                    "file_missing", "/path", "There is no file " + given + " in the workspace.");
            case WindowRead.Refused(var reason) -> throw FilePaths.refused(given, "read", reason);
          };
        });
  }

  private static ObjectNode result(String path, WindowRead.Content content) {
    var result = JsonNodeFactory.instance.objectNode();
    result.put("path", path);
    result.put("size", content.size());
    if (content.isText()) {
      result.put("content", new String(content.bytes(), UTF_8)).put("encoding", "utf-8");
    } else {
      result
          .put("content", Base64.getEncoder().encodeToString(content.bytes()))
          .put("encoding", "base64");
    }
    result.put("next_offset", content.nextOffset());
    result.put("eof", content.eof());
    result.put("redacted", content.redactions() > 0);
    return result;
  }
}
