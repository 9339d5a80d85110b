package mesh.agentapi;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import mesh.run.RunId;
import mesh.tool.Cancellation;
import mesh.tool.LiveOutput;
import mesh.tool.ToolCall;
import mesh.tool.ToolCalls;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Makes calls for MCP clients; whatever becomes of one is a result. */
@Component
class McpCaller {

  private static final Logger log = LoggerFactory.getLogger(McpCaller.class);

  private final ToolCalls calls;

  McpCaller(ToolCalls calls) {
    this.calls = calls;
  }

  CallToolResult call(RunId run, McpCall call, LiveOutput output, Cancellation cancellation) {
    var live = call.progressToken() == null ? LiveOutput.NONE : output;
    try {
      return McpResults.done(
          calls.call(new ToolCall(run, call.arguments(), live), call.tool(), cancellation));
    } catch (ToolRefusal refusal) {
      return McpResults.refused(refusal);
    } catch (InterruptedException cancelled) {
      return McpResults.cancelled();
    } catch (RuntimeException broken) {
      log.atError().setCause(broken).addKeyValue("run", run).log("call over MCP broke");
      return McpResults.broken();
    }
  }
}
