package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import mesh.execution.Command;
import mesh.execution.SandboxPath;
import mesh.tool.ToolRefusal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Commands that go on in a sandbox when the call that started them has ended. All that is known of
 * them is kept there, in a folder of the home directory, so that every instance of Mesh finds them
 * again, also after a restart. They end with the sandbox.
 */
final class BackgroundProcesses {

  /** Most bytes that are kept of each channel of one process, within a MiB: 8 MiB. */
  static final int KEPT = 8 << 20;

  /** Most that run at once, and how many that ended are remembered. */
  static final int MOST = 32;

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int HEAD = 200;

  private BackgroundProcesses() {}

  static SandboxPath folder(Workspace workspace) {
    return workspace.home().resolve(".mesh-processes");
  }

  /** The same command, started in the background; prints the number that the process got. */
  static Command starting(Command command, String head, Workspace workspace) {
    return Command.of(command.argv(), command.directory(), PATIENCE)
        .withStdin(command.stdin())
        .in(
            List.of(
                "/bin/sh",
                "-c",
                SandboxScript.PROCESS_START.text(),
                "mesh",
                folder(workspace).value(),
                head,
                Integer.toString(KEPT),
                Integer.toString(MOST),
                SandboxScript.PROCESS_KEEP.text()));
  }

  /** A command in one short line. */
  static String head(String command) {
    var line = command.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.codePointCount(0, line.length()) <= HEAD
        ? line
        : line.substring(0, line.offsetByCodePoints(0, HEAD)) + "…";
  }

  /**
   * Why a process was not started.
   *
   * @param code of the starting script; not 0
   */
  static ToolRefusal notStarted(int code) {
    return switch (code) {
      case 4 ->
          new ToolRefusal.NotPossible(
              "processes_too_many",
              "%d background processes run already, as many as may: end one with workspace_process_signal."
                  .formatted(MOST));
      case 3 ->
          new ToolRefusal.NotPossible(
              "processes_unusable",
              "The folder .mesh-processes in the home directory cannot be used: it was changed, or the disk is full. Nothing was started.");
      default ->
          new ToolRefusal.TryLater(
              "process_unclear",
              "Whether the process was started is not clear: look with workspace_processes.",
              Duration.ZERO);
    };
  }

  /** All that are remembered, oldest first. */
  static List<Entry> list(Workspace workspace) throws InterruptedException {
    var look =
        new ScriptCall(
            SandboxScript.PROCESS_LIST, List.of(folder(workspace).value()), PATIENCE, 1 << 20);
    return workspace.within((sandbox, redactions) -> {
      var text = redactions.apply(new String(look.run(sandbox).printed(), UTF_8));
      var entries = new ArrayList<Entry>();
      for (var line : text.lines().toList()) {
        var facts = line.split("\t", 8);
        if (facts.length == 8) {
          entries.add(Entry.of(facts));
        }
      }
      entries.sort(Comparator.comparingLong(entry -> Long.parseLong(entry.id())));
      return entries;
    });
  }

  /** Sends a signal to the whole tree of a process. */
  static Signalled signal(Workspace workspace, String process, String signal)
      throws InterruptedException {
    var call =
        new ScriptCall(
            SandboxScript.PROCESS_SIGNAL,
            List.of(folder(workspace).resolve(process).value(), signal),
            PATIENCE,
            1024);
    return workspace.within((sandbox, _) -> {
      var ended = call.run(sandbox);
      if (ended.code() != 0) {
        throw unknown(process);
      }
      var facts = new String(ended.printed(), UTF_8).strip().split(" ", -1);
      return new Signalled(Integer.parseInt(facts[0]), State.of(facts[1], facts[2]));
    });
  }

  static ToolRefusal unknown(String process) {
    return new ToolRefusal.BadArguments(
        "process_unknown",
        "/process",
        "There is no background process "
            + process
            + " in this workspace: workspace_processes says which there are.");
  }

  /**
   * @param id a number, for this sandbox
   * @param endedAt null while it runs, or if nobody saw its end
   */
  record Entry(
      String id,
      State state,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      long stdoutBytes,
      long stderrBytes,
      String command) {

    static Entry of(String[] facts) {
      return new Entry(
          facts[0],
          State.of(facts[1], facts[2]),
          moment(facts[3]),
          moment(facts[4]),
          Long.parseLong(facts[5]),
          Long.parseLong(facts[6]),
          facts[7]);
    }

    private static @Nullable Instant moment(String seconds) {
      return seconds.matches("[0-9]{1,12}") ? Instant.ofEpochSecond(Long.parseLong(seconds)) : null;
    }
  }

  /**
   * @param word {@code running}, {@code exited}, {@code signalled}, or {@code lost} if it is gone
   *     and nobody saw its end
   * @param exitCode as a shell has it; null unless it ended
   */
  record State(String word, @Nullable Integer exitCode) {

    static State of(String word, String code) {
      if (!word.equals("ended") || !code.matches("[0-9]{1,3}")) {
        return new State(word.equals("running") ? word : "lost", null);
      }
      int status = Integer.parseInt(code);
      return new State(status > 128 && status <= 192 ? "signalled" : "exited", status);
    }

    @Nullable Integer signal() {
      return word.equals("signalled") && exitCode != null ? exitCode - 128 : null;
    }

    void into(ObjectNode json) {
      json.put("state", word).put("exit_code", exitCode).put("signal", signal());
    }
  }

  /**
   * @param processes how many got it
   * @param state right after
   */
  record Signalled(int processes, State state) {}
}
