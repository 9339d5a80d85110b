package mesh.harness;

import java.util.List;
import java.util.Optional;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.run.Step;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import mesh.tool.ToolWaits;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Asks whoever asked for the run; the run waits for an answer, however long that takes. */
@Component
class AskTool implements Tool {

  private final DrivenOnly driven;
  private final ToolDescription description;

  AskTool(DrivenOnly driven, JsonMapper json) {
    this.driven = driven;
    this.description =
        new ToolDescription(
            "ask",
            """
            Asks the person who gave you the task, and waits for the answer, which may take days. \
            Only for what you cannot find out and cannot decide: a missing permission, a choice that \
            is theirs. Nothing else happens meanwhile.\
            """,
            json.readTree(
                """
                {"type":"object","additionalProperties":false,"required":["question"],
                 "properties":{"question":{"type":"string","minLength":1,"maxLength":10000,
                   "description":"Everything that is needed to answer it, in a few sentences."}}}
                """),
            List.of(),
            Replayability.IDEMPOTENT);
  }

  @Override
  public ToolDescription description() {
    return description;
  }

  @Override
  public boolean isOfferedTo(RunId run) {
    return driven.refusal(run).isEmpty();
  }

  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return driven.refusal(run);
  }

  @Override
  public ObjectNode call(ToolCall call) {
    throw new ToolWaits(Step.Awaits.ANSWER);
  }
}
