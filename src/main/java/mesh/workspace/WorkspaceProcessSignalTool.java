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

/** Sends a signal to a background process of the run's workspace. */
@Component
class WorkspaceProcessSignalTool implements Tool {

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_process_signal",
          """
          Sends a signal to a background process of your workspace and to all that came of it. Answers \
          how many processes got it, and the state right after; a process may take a while to end.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["process","signal"],
               "properties":{
                 "process":{"type":"string","pattern":"^[0-9]{1,9}$"},
                 "signal":{"enum":["TERM","INT","KILL","HUP","QUIT","USR1","USR2","STOP","CONT"]}}}
              """),
          List.of("workspace", "shell"),
          Replayability.EFFECTFUL);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceProcessSignalTool(Workspaces workspaces, ShellTools shell) {
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
    var process = call.arguments().get("process").asString();
    var signal = call.arguments().get("signal").asString();
    var done =
        workspaces.with(
            call.run(), workspace -> BackgroundProcesses.signal(workspace, process, signal));
    var result = JsonNodeFactory.instance.objectNode().put("process", process);
    result.put("signalled", done.processes());
    done.state().into(result);
    return result;
  }
}
