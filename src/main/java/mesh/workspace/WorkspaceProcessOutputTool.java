package mesh.workspace;

import java.time.Duration;
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

/** Reads what a background process of the run's workspace printed. */
@Component
class WorkspaceProcessOutputTool implements Tool {

  private static final int DEFAULT_BYTES = 65_536;

  /** From when on no more is asked for within one call. */
  private static final int LITTLE = 16;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_process_output",
          """
          Reads what a background process of your workspace printed, up to max_bytes from offset on, cut \
          between characters. Read on at next_offset until eof is true. An offset below 0 counts from \
          the end. With wait_seconds it waits that long for something to come. The last 8 MiB of each \
          channel are kept; skipped_bytes says how many from offset on are not any more.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,"required":["process"],
               "properties":{
                 "process":{"type":"string","pattern":"^[0-9]{1,9}$"},
                 "channel":{"enum":["stdout","stderr"],"default":"stdout"},
                 "offset":{"type":"integer","minimum":-8388608,"default":0},
                 "max_bytes":{"type":"integer","minimum":16,"maximum":1048576,"default":65536},
                 "wait_seconds":{"type":"integer","minimum":0,"maximum":30,"default":0}}}
              """),
          List.of("workspace", "shell"),
          Replayability.PURE);

  private final Workspaces workspaces;
  private final ShellTools shell;

  WorkspaceProcessOutputTool(Workspaces workspaces, ShellTools shell) {
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

  /** For one who watches it goes on showing what comes until the time is over. */
  @Override
  public ObjectNode call(ToolCall call) throws InterruptedException {
    var arguments = call.arguments();
    boolean watched = call.live().isFollowed();
    long end =
        System.nanoTime() + Duration.ofSeconds(arguments.path("wait_seconds").asInt(0)).toNanos();
    var wanted =
        new ProcessOutput.Wanted(
            arguments.get("process").asString(),
            arguments.path("channel").asString("stdout"),
            arguments.path("offset").asLong(0),
            arguments.path("max_bytes").asInt(DEFAULT_BYTES),
            left(end),
            -1);
    var page = read(call, wanted);
    var first = page;
    var text = new StringBuilder();
    int redactions = 0;
    while (true) {
      text.append(page.text());
      redactions += page.redactions();
      if (watched && !page.text().isEmpty()) {
        call.live().accept(wanted.channel(), page.text());
      }
      int room = (int) (wanted.maxBytes() - (page.nextOffset() - first.offset()));
      boolean enough = !watched && !text.isEmpty();
      if (page.eof() || enough || room < LITTLE || left(end).isZero()) {
        return result(wanted, first, page, text.toString(), redactions);
      }
      page =
          read(
              call,
              new ProcessOutput.Wanted(
                  wanted.process(),
                  wanted.channel(),
                  page.nextOffset(),
                  room,
                  left(end),
                  page.text().isEmpty() ? page.total() : -1));
    }
  }

  private ProcessOutput read(ToolCall call, ProcessOutput.Wanted wanted)
      throws InterruptedException {
    return workspaces.with(
        call.run(),
        workspace ->
            workspace.within((sandbox, redactions) ->
                ProcessOutput.read(
                    sandbox, BackgroundProcesses.folder(workspace), wanted, redactions)));
  }

  private static Duration left(long end) {
    return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
  }

  private static ObjectNode result(
      ProcessOutput.Wanted wanted,
      ProcessOutput first,
      ProcessOutput last,
      String text,
      int redactions) {
    var result =
        JsonNodeFactory.instance
            .objectNode()
            .put("process", wanted.process())
            .put("channel", wanted.channel())
            .put("content", text)
            .put("offset", first.offset())
            .put("next_offset", last.nextOffset())
            .put("total_bytes", last.total())
            .put("skipped_bytes", first.skipped())
            .put("eof", last.eof())
            .put("redacted", redactions > 0);
    last.state().into(result);
    return result;
  }
}
