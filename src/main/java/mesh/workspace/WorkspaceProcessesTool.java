package mesh.workspace;

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

/** Says which background processes there are in the run's workspace. */
@Component
class WorkspaceProcessesTool implements Tool {

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_processes",
          """
          Lists the background processes of your workspace, oldest first: those that run, and the last \
          that ended. state is running, exited, signalled, or lost if its end was not seen.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"properties":{}}
              """),
          List.of("workspace", "shell"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceProcessesTool(Workspaces workspaces, ShellTools shell) {
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
    var result = JsonNodeFactory.instance.objectNode();
    var list = result.putArray("processes");
    for (var entry : workspaces.with(call.run(), BackgroundProcesses::list)) {
      var process = list.addObject().put("process", entry.id()).put("command", entry.command());
      entry.state().into(process);
      process
          .put("started_at", entry.startedAt() == null ? null : entry.startedAt().toString())
          .put("ended_at", entry.endedAt() == null ? null : entry.endedAt().toString())
          .put("stdout_bytes", entry.stdoutBytes())
          .put("stderr_bytes", entry.stderrBytes());
    }
    return result;
  }
}
