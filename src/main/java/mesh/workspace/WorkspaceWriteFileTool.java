package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import mesh.execution.FileMode;
import mesh.execution.FileWrite;
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

/** Writes a whole file in the run's workspace. */
@Component
class WorkspaceWriteFileTool implements Tool {

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_write_file",
          """
          Writes a whole file in your workspace, replacing what was there at once and creating parent \
          directories. An existing file keeps its mode, a new one gets 0644, unless mode is given. \
          Content is text, or base64 with encoding base64; at most 16 MiB. Content with the \
          marker [REDACTED] is refused, since it would replace a secret by the marker, unless \
          allow_redacted is true.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["path","content"],
               "properties":{
                 "path":{"type":"string","minLength":1,"maxLength":4096,
                   "description":"Relative to the project directory, or absolute in it, the home directory or /tmp."},
                 "content":{"type":"string"},
                 "encoding":{"enum":["utf-8","base64"],"default":"utf-8"},
                 "mode":{"type":["string","null"],"pattern":"^0?[0-7]{3}$","description":"Octal, such as 0755."},
                 "allow_redacted":{"type":"boolean","default":false}}}
              """),
          List.of("workspace"),
          Replayability.IDEMPOTENT);

  private final Workspaces workspaces;
  private final ShellTools shell;
  private final RunRedactions redactions;

  WorkspaceWriteFileTool(Workspaces workspaces, ShellTools shell, RunRedactions redactions) {
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
    var given = arguments.get("path").asString();
    var content = content(arguments, redactions.of(call.run()).marker());
    var mode =
        arguments.path("mode").isString()
            ? FileMode.parse(arguments.get("mode").asString())
            : FileMode.KEEP;
    return workspaces.with(
        call.run(),
        workspace -> {
          var path = FilePaths.writable(given, workspace);
          return switch (workspace.write(path, content, mode)) {
            case FileWrite.Written(var size) ->
                JsonNodeFactory.instance.objectNode().put("path", given).put("size", size);
            case FileWrite.Refused(var reason) -> throw FilePaths.refused(given, "write", reason);
          };
        });
  }

  private static byte[] content(JsonNode arguments, String marker) {
    var text = arguments.get("content").asString();
    var bytes =
        arguments.path("encoding").asString("utf-8").equals("base64")
            ? decoded(text)
            : encoded(text);
    if (bytes.length > FileWrite.MAX_BYTES) {
      throw new ToolRefusal.BadArguments(
          "/content",
          "The content is %d bytes, more than %d: write it in parts with workspace_exec."
              .formatted(bytes.length, FileWrite.MAX_BYTES));
    }
    if (!arguments.path("allow_redacted").asBoolean(false)
        && new String(bytes, UTF_8).contains(marker)) {
      throw new ToolRefusal.BadArguments(
          "content_redacted",
          "/content",
          "The content holds the marker "
              + marker
              + ": written back it would destroy what it stands for. Change the file with a command, or set allow_redacted.");
    }
    return bytes;
  }

  private static byte[] encoded(String text) {
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw new ToolRefusal.BadArguments(
          "/content", "The content holds half of a surrogate pair: send it as base64.");
    }
    return text.getBytes(UTF_8);
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments(
          "/content", "The content is not base64: " + bad.getMessage() + ".");
    }
  }
}
