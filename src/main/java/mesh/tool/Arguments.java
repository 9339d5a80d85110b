package mesh.tool;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Checks arguments against a tool's schema. */
@Component
class Arguments {

  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  /**
   * @throws ToolRefusal.BadArguments for the first fault, with the pointer of the argument
   */
  void check(ToolDescription tool, JsonNode arguments) {
    if (!arguments.isObject()) {
      throw new ToolRefusal.BadArguments("", "The arguments must be a JSON object.");
    }
    var schema = schemas.computeIfAbsent(tool.name(), _ -> registry.getSchema(tool.inputSchema()));
    schema.validate(arguments).stream()
        .min(Comparator.comparingInt(fault -> fault.getInstanceLocation().toString().length()))
        .ifPresent(fault -> {
          var pointer = fault.getInstanceLocation().toString();
          throw new ToolRefusal.BadArguments(
              pointer, (pointer.isEmpty() ? "arguments" : pointer) + ": " + fault.getMessage());
        });
  }
}
