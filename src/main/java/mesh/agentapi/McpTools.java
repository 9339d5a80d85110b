package mesh.agentapi;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.util.List;
import java.util.Map;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolDescription;
import mesh.tool.Toolbox;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tools as MCP describes them. */
@Component
class McpTools {

  private static final JsonMapper JSON = new JsonMapper();

  private final Toolbox toolbox;

  McpTools(Toolbox toolbox) {
    this.toolbox = toolbox;
  }

  /**
   * All of them, as clients keep the list: one that the run cannot use says why, in the words that
   * a call would get. An operator may make it usable before the next call.
   */
  List<McpSchema.Tool> of(RunId run) {
    return toolbox.offeredTo(run).stream().map(tool -> described(tool, run)).toList();
  }

  /** The one of that name, if there is it. */
  List<McpSchema.Tool> named(String name) {
    return toolbox.all().stream()
        .map(Tool::description)
        .filter(tool -> tool.name().equals(name))
        .map(tool -> described(tool, tool.text()))
        .toList();
  }

  String names() {
    return String.join(
        ", ", toolbox.all().stream().map(tool -> tool.description().name()).toList());
  }

  private static McpSchema.Tool described(Tool tool, RunId run) {
    var description = tool.description();
    return described(
        description,
        tool.unavailable(run)
            .map(refusal ->
                "Not available to this run: " + refusal.sentence() + "\n\n" + description.text())
            .orElse(description.text()));
  }

  private static McpSchema.Tool described(ToolDescription tool, String text) {
    return McpSchema.Tool.builder(tool.name(), members(tool.inputSchema()))
        .description(text)
        .annotations(
            ToolAnnotations.builder()
                .readOnlyHint(tool.replayability() == Replayability.PURE)
                .destructiveHint(tool.replayability() != Replayability.PURE)
                .idempotentHint(tool.replayability() != Replayability.EFFECTFUL)
                .build())
        .build();
  }

  private static Map<String, Object> members(JsonNode schema) {
    return JSON.convertValue(schema, new TypeReference<Map<String, Object>>() {});
  }
}
