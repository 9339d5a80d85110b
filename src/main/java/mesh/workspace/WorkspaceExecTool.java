package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.execution.Command;
import mesh.execution.Outcome;
import mesh.execution.OutputSink.Channel;
import mesh.execution.SandboxPath;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.run.RunRedactions;
import mesh.tool.LiveOutput;
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
          end; the whole is kept as an artifact, read by workspace_read_output. With background the \
          answer comes at once, with the number of a process that goes on until it ends or the run \
          does: see workspace_processes. Push or save what must outlive the run.\
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
                 "background":{"type":"boolean","default":false,
                   "description":"Start it and answer at once. Without timeout_seconds and secrets."}},
               "oneOf":[{"required":["argv"]},{"required":["script"]}]}
              """),
          List.of("workspace", "shell"),
          Replayability.EFFECTFUL);

  private final Workspaces workspaces;
  private final ShellTools shell;
  private final VaultReads vault;
  private final RunRedactions redactions;

  WorkspaceExecTool(
      Workspaces workspaces, ShellTools shell, VaultReads vault, RunRedactions redactions) {
    this.workspaces = workspaces;
    this.shell = shell;
    this.vault = vault;
    this.redactions = redactions;
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
    if (call.arguments().path("background").asBoolean(false)) {
      return startInBackground(call);
    }
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
            throw noSuchDirectory(directory);
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

  private static void demandThatBackgroundIsPossible(JsonNode arguments) {
    if (arguments.has("secrets") && !arguments.get("secrets").isEmpty()) {
      throw new ToolRefusal.BadArguments(
          "/secrets",
          "A background process cannot be given vault values: they are for a command while its call lasts. Run it without background, or have it read what it needs from a file that a command wrote.");
    }
    if (arguments.has("timeout_seconds")) {
      throw new ToolRefusal.BadArguments(
          "/timeout_seconds",
          "A background process has no timeout: it ends by itself, by workspace_process_signal, or with the run.");
    }
  }

  private ObjectNode startInBackground(ToolCall call) throws InterruptedException {
    demandThatBackgroundIsPossible(call.arguments());
    var atRoot = command(call.arguments(), new SandboxPath("/"));
    var words =
        call.arguments().has("script")
            ? call.arguments().get("script").asString()
            : String.join(" ", atRoot.argv());
    var head = BackgroundProcesses.head(redactions.of(call.run()).apply(words));
    return workspaces.with(
        call.run(),
        workspace -> {
          var directory = directory(call.arguments(), workspace.project());
          var command = inDirectory(atRoot, directory);
          var executed =
              workspace.exec(
                  BackgroundProcesses.starting(command, head, workspace),
                  Map.of(),
                  LiveOutput.NONE);
          return switch (executed.outcome()) {
            case Outcome.NoSuchDirectory _ -> throw noSuchDirectory(directory);
            case Outcome.Exited(var code, _) when code == 0 ->
                started(executed.output().text(Channel.STDOUT).strip(), workspace.takeNotice());
            case Outcome.Exited(var code, _) -> throw BackgroundProcesses.notStarted(code);
            default -> throw BackgroundProcesses.notStarted(-1);
          };
        });
  }

  private static ObjectNode started(String process, String notice) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("outcome", "started")
        .put("process", process)
        .put("notice", notice.isEmpty() ? null : notice);
  }

  private static ToolRefusal noSuchDirectory(SandboxPath directory) {
    return new ToolRefusal.BadArguments(
        "directory_missing",
        "/dir",
        "There is no directory " + directory + " in the workspace: nothing was run.");
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
    result.put(
        "outcome", executed.sandboxLost() ? "sandbox_lost" : VendorCalls.word(executed.outcome()));
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
