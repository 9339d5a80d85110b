package mesh.tool;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import mesh.run.RunId;
import org.springframework.stereotype.Component;

/** All tools by name. */
@Component
public class Toolbox {

  private final Map<String, Tool> tools = new TreeMap<>();

  Toolbox(List<Tool> tools) {
    for (var tool : tools) {
      if (this.tools.put(tool.description().name(), tool) != null) {
        throw new IllegalStateException("two tools named " + tool.description().name());
      }
    }
  }

  /** By name. */
  public List<Tool> all() {
    return List.copyOf(tools.values());
  }

  /** Whether there is a tool of that name. */
  boolean has(String name) {
    return tools.containsKey(name);
  }

  /** Those that a run is told of, by name, available or not. */
  public List<Tool> offeredTo(RunId run) {
    return tools.values().stream().filter(tool -> tool.isOfferedTo(run)).toList();
  }

  /**
   * The tool of that name.
   *
   * @throws ToolRefusal.Unknown if there is none
   */
  public Tool named(String name) {
    var tool = tools.get(name);
    if (tool == null) {
      throw new ToolRefusal.Unknown(
          "There is no tool '" + name + "'. Tools: " + String.join(", ", tools.keySet()) + ".");
    }
    return tool;
  }
}
