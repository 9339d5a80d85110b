package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.execution.Capability;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.SandboxPath;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Runs a command in the run's workspace. */
@Component
class WorkspaceExecTool implements Tool {

  private static final int DEFAULT_TIMEOUT_SECONDS = 120;

  private static final ToolDescription DESCRIPTION =
      new ToolDescription(
          "workspace_exec",
          """
          Runs a command in your workspace: a sandbox with a shell that is yours for this run and gone \
          after it. Give argv (run as it is, no shell) or script (run as sh -c). Commands start in the \
          project directory unless dir says otherwise. A non-zero exit code is a normal result. \
          Standard input is empty unless stdin is given. At the timeout the whole process tree is \
          ended and the output so far is returned. Output over 64 KiB is shown by its beginning and \
          end; the whole is kept as an artifact. Push or save what must outlive the run.\
          """,
          Schemas.parse(
              """
              {"type":"object","additionalProperties":false,
               "properties":{
                 "argv":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":4096,
                   "description":"Program and arguments, passed on unchanged."},
                 "script":{"type":"string","minLength":1,"description":"A POSIX shell script, instead of argv."},
                 "dir":{"type":"string","minLength":1,"description":"Working directory: absolute, or relative to the project directory."},
                 "timeout_seconds":{"type":"integer","minimum":1,"maximum":3600,"default":120},
                 "stdin":{"type":"string","maxLength":1048576},
                 "secrets":{"type":"array","items":{"type":"string"},"maxItems":32,"uniqueItems":true,
                   "description":"Names of your vault entries. This command alone finds each value in the variable MESH_SECRET_ and the name in upper case, with _ for dots and dashes."},
                 "background":{"type":"boolean","default":false}},
               "oneOf":[{"required":["argv"]},{"required":["script"]}]}
              """),
          List.of("workspace", "shell"),
          Replayability.EFFECTFUL);

  private final Workspaces workspaces;
  private final Placement placement;
  private final VaultReads vault;

  WorkspaceExecTool(Workspaces workspaces, Placement placement, VaultReads vault) {
    this.workspaces = workspaces;
    this.placement = placement;
    this.vault = vault;
  }

  @Override
  public ToolDescription description() {
    return DESCRIPTION;
  }

  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return workspaces
        .held(run)
        .map(workspace -> workspace.lacks(Capability.SHELL))
        .orElseGet(() -> placement.lacks(run, Capability.SHELL));
  }

  @Override
  public ObjectNode call(ToolCall call) throws InterruptedException {
    refuseWhatIsNotThereYet(call.arguments());
    var atRoot = command(call.arguments(), new SandboxPath("/"));
    var names = new ArrayList<String>();
    call.arguments().path("secrets").forEach(name -> names.add(name.asString()));
    var secrets = vault.read(call.run(), names);
    return workspaces.with(
        call.run(),
        workspace -> {
          var directory = directory(call.arguments(), workspace.project());
          var command = inDirectory(atRoot, directory);
          long started = System.nanoTime();
          var executed = workspace.exec(command, secrets, call.live());
          var duration = Duration.ofNanos(System.nanoTime() - started);
          if (executed.outcome() instanceof Outcome.NoSuchDirectory) {
            throw new ToolRefusal.BadArguments(
                "directory_missing",
                "/dir",
                "There is no directory " + directory + " in the workspace: nothing was run.");
          }
          return result(executed, workspace.takeNotice(), duration);
        });
  }

  /** Checked before there is a sandbox, so that a bad command does not cost one. */
  private static Command command(JsonNode arguments, SandboxPath directory) {
    var argv = new ArrayList<String>();
    if (arguments.has("script")) {
      argv.addAll(List.of("sh", "-c", arguments.get("script").asString()));
    } else {
      arguments.get("argv").forEach(argument -> argv.add(argument.asString()));
    }
    var timeout =
        Duration.ofSeconds(arguments.path("timeout_seconds").asInt(DEFAULT_TIMEOUT_SECONDS));
    try {
      return Command.of(argv, directory, timeout)
          .withStdin(arguments.path("stdin").asString("").getBytes(UTF_8));
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments(
          arguments.has("script") ? "/script" : "/argv", String.valueOf(bad.getMessage()));
    }
  }

  private static Command inDirectory(Command command, SandboxPath directory) {
    return Command.of(command.argv(), directory, command.timeout()).withStdin(command.stdin());
  }

  private static SandboxPath directory(JsonNode arguments, SandboxPath project) {
    try {
      return arguments.has("dir") ? project.resolve(arguments.get("dir").asString()) : project;
    } catch (IllegalArgumentException bad) {
      throw new ToolRefusal.BadArguments("/dir", String.valueOf(bad.getMessage()));
    }
  }

  private static void refuseWhatIsNotThereYet(JsonNode arguments) {
    if (arguments.path("background").asBoolean(false)) {
      throw new ToolRefusal.BadArguments(
          "/background",
          "Background processes cannot be managed yet: start it with & in a script; it lives until the run ends.");
    }
  }

  private static ObjectNode result(Workspace.Executed executed, String notice, Duration duration) {
    var output = executed.output();
    var result = JsonNodeFactory.instance.objectNode();
    outcome(result, executed);
    result.put("stdout", output.text(Channel.STDOUT));
    result.put("stderr", output.text(Channel.STDERR));
    result.put("stdout_bytes", output.bytes(Channel.STDOUT));
    result.put("stderr_bytes", output.bytes(Channel.STDERR));
    result.put("truncated", output.truncated());
    var artifact = output.artifact();
    result.put("artifact", artifact == null ? null : artifact.value().toString());
    result.put("duration_ms", duration.toMillis());
    result.put("still_running", stillRunning(executed.outcome()));
    result.put("redactions", output.redactions());
    var words = told(executed, notice);
    result.put("notice", words.isEmpty() ? null : words);
    return result;
  }

  /** What this command's end says comes after what was still to be said of the sandbox. */
  private static String told(Workspace.Executed executed, String notice) {
    var own = executed.outcome() instanceof Outcome.Unknown(var why) ? why : executed.told();
    return notice.isEmpty() || own.isEmpty() ? notice + own : notice + " " + own;
  }

  private static void outcome(ObjectNode result, Workspace.Executed executed) {
    result.put("outcome", executed.sandboxLost() ? "sandbox_lost" : word(executed.outcome()));
    result.putNull("exit_code");
    result.putNull("signal");
    switch (executed.outcome()) {
      case Outcome.Exited(var code, _) -> result.put("exit_code", code);
      case Outcome.Signalled(var signal, _) ->
          result.put("exit_code", 128 + signal).put("signal", signal);
      case Outcome.TimedOut _,
          Outcome.OutOfMemory _,
          Outcome.Unknown _,
          Outcome.NoSuchDirectory _ -> {}
    }
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Exited _ -> "exited";
      case Outcome.Signalled _ -> "signalled";
      case Outcome.TimedOut _ -> "timed_out";
      case Outcome.OutOfMemory _ -> "out_of_memory";
      case Outcome.Unknown _ -> "unknown";
      case Outcome.NoSuchDirectory _ -> "not_started";
    };
  }

  private static int stillRunning(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Exited(_, var children) -> children;
      case Outcome.Signalled(_, var children) -> children;
      case Outcome.TimedOut _,
          Outcome.OutOfMemory _,
          Outcome.Unknown _,
          Outcome.NoSuchDirectory _ ->
          0;
    };
  }
}
