package mesh.workspace;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Pages through the whole output of a command whose answer showed only a part of it. */
@Component
class WorkspaceReadOutputTool implements Tool {

  private static final int DEFAULT_BYTES = 65_536;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_read_output",
          """
          Reads the whole output of a command of this run, up to max_bytes from offset on, cut between \
          characters. artifact is what the command's answer said. Read on at next_offset until eof is \
          true.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["artifact"],
               "properties":{
                 "artifact":{"type":"string","minLength":1,"maxLength":64},
                 "channel":{"enum":["stdout","stderr"],"default":"stdout"},
                 "offset":{"type":"integer","minimum":0,"default":0},
                 "max_bytes":{"type":"integer","minimum":16,"maximum":1048576,"default":65536}}}
              """),
          List.of(),
          Replayability.PURE);

  private final Artifacts artifacts;

  WorkspaceReadOutputTool(Artifacts artifacts) {
    this.artifacts = artifacts;
  }

  @Override
  public ToolDescription description() {
    return DESCRIPTION;
  }

  /** It looks into no workspace. */
  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return Optional.empty();
  }

  @Override
  public ObjectNode call(ToolCall call) {
    var arguments = call.arguments();
    var artifact = own(call.run(), arguments.get("artifact").asString());
    if (artifact.removedAt() != null) {
      throw new ToolRefusal.BadArguments(
          "artifact_removed",
          "/artifact",
          "This output was removed at %s, because it was older than outputs are kept."
              .formatted(artifact.removedAt()));
    }
    var channel = arguments.path("channel").asString("stdout");
    long offset = arguments.path("offset").asLong(0);
    var page =
        artifacts.page(artifact, channel, offset, arguments.path("max_bytes").asInt(DEFAULT_BYTES));
    return JsonNodeFactory.instance
        .objectNode()
        .put("artifact", artifact.id().value().toString())
        .put("channel", channel)
        .put("content", page.text())
        .put("offset", offset)
        .put("next_offset", page.nextOffset())
        .put("eof", page.eof())
        .put("complete", artifact.complete());
  }

  /** Another run's is as unknown as one that never was. */
  private Artifact own(RunId run, String given) {
    try {
      var found = artifacts.find(new ArtifactId(UUID.fromString(given)));
      if (found.isPresent() && found.get().run().equals(run)) {
        return found.get();
      }
    } catch (IllegalArgumentException malformed) {
      // As unknown as any other.
    }
    throw new ToolRefusal.BadArguments(
        "artifact_unknown", "/artifact", "This run has no output " + given + ".");
  }
}
