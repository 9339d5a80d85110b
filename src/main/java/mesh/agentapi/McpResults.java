package mesh.agentapi;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.util.List;
import mesh.tool.ToolRefusal;
import mesh.web.Problem;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What became of a call, as MCP tells it: the object that plain HTTP would answer, and the same as
 * text for clients that know no other. A refusal is a result too, so that the model gets to see it
 * and can do better.
 */
final class McpResults {

  private McpResults() {}

  static CallToolResult done(ObjectNode result) {
    return result(result, false);
  }

  static CallToolResult refused(ToolRefusal refusal) {
    return failed(Refusals.problem(refusal));
  }

  static CallToolResult cancelled() {
    return failed(Refusals.cancelled());
  }

  static CallToolResult broken() {
    return failed(
        Problem.of(
            500,
            "internal_error",
            "Mesh broke while the tool ran: whether it did anything is unknown. The server's log has the details."));
  }

  private static CallToolResult failed(Problem problem) {
    var told =
        JsonNodeFactory.instance
            .objectNode()
            .put("code", problem.code())
            .put("detail", problem.sentence());
    problem.extras().forEach(told::putPOJO);
    return result(told, true);
  }

  private static CallToolResult result(ObjectNode content, boolean isError) {
    return CallToolResult.builder()
        .content(List.of(TextContent.builder(content.toString()).build()))
        .structuredContent(content)
        .isError(isError)
        .build();
  }
}
