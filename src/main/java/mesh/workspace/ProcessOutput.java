package mesh.workspace;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.redaction.Redactions;
import mesh.tool.ToolRefusal;

/**
 * A window of what a background process printed, without secrets: as {@link FileWindow} has it, of
 * an output that may grow and that loses its beginning. What may yet become a secret is not shown
 * before it is clear that it does not, nor is the end of one whose beginning is gone.
 *
 * @param offset where the window began
 * @param nextOffset where the window ended
 * @param skipped bytes from the offset on that are not kept any more
 * @param total bytes printed so far
 * @param eof whether nothing follows and nothing will
 */
record ProcessOutput(
    String text,
    BackgroundProcesses.State state,
    long offset,
    long nextOffset,
    long skipped,
    long total,
    boolean eof,
    int redactions) {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int NO_PROCESS = 3;
  private static final int ATTEMPTS = 3;
  private static final int HEADER = 256;

  /**
   * @param offset below 0 it counts from the end
   * @param patience for how long for something to come, if there is nothing
   * @param known how many bytes it printed when nothing of them could be shown; -1 if that was not
   *     so
   */
  record Wanted(
      String process, String channel, long offset, int maxBytes, Duration patience, long known) {}

  static ProcessOutput read(
      Sandbox sandbox, SandboxPath folder, Wanted wanted, Redactions redactions)
      throws InterruptedException {
    int margin = redactions.margin();
    var look =
        new ScriptCall(
            SandboxScript.PROCESS_OUTPUT,
            List.of(
                folder.resolve(wanted.process()).value(),
                wanted.channel(),
                Long.toString(wanted.offset()),
                Integer.toString(margin),
                // Twice, for what comes first may be of no use.
                Integer.toString(wanted.maxBytes() + 2 * margin),
                Long.toString(wanted.patience().toMillis() / 100),
                Long.toString(wanted.known())),
            PATIENCE.plus(wanted.patience()),
            HEADER + 3 * margin + wanted.maxBytes());
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      var ended = look.run(sandbox);
      if (ended.code() == NO_PROCESS) {
        throw BackgroundProcesses.unknown(wanted.process());
      }
      if (ended.code() == 0) {
        return cut(ended.printed(), wanted, redactions);
      }
    }
    throw new ToolRefusal.TryLater(
        "output_moving",
        "The process prints faster than its output can be read: call again, further on.",
        Duration.ofSeconds(1));
  }

  private static ProcessOutput cut(byte[] printed, Wanted wanted, Redactions redactions) {
    int header = 0;
    while (printed[header] != '\n') {
      header++;
    }
    var facts = new String(printed, 0, header, US_ASCII).split(" ", -1);
    var state = BackgroundProcesses.State.of(facts[0], facts[1]);
    boolean open = facts[2].equals("yes");
    long first = Long.parseLong(facts[3]);
    long asked = Long.parseLong(facts[5]);
    long start = Long.parseLong(facts[6]);
    var bytes = Arrays.copyOfRange(printed, header + 1, printed.length);
    long total = Math.max(Long.parseLong(facts[4]), start + bytes.length);
    // What comes first may be the end of a secret.
    long shownFrom = first == 0 ? 0 : first + redactions.margin();
    long from = Math.min(Math.max(asked, shownFrom), start + bytes.length);
    int begin = (int) (from - start);
    int end = Math.min(bytes.length, begin + wanted.maxBytes());
    if (start + bytes.length < total) {
      end = Math.max(begin, Math.min(end, bytes.length - redactions.margin()));
    } else if (open) {
      end = Math.max(begin, Math.min(end, redactions.settled(bytes)));
    }
    var raw = Arrays.copyOfRange(bytes, begin, end);
    boolean last = !open && start + end == total;
    int whole = last ? raw.length : Utf8.lastBoundary(raw, raw.length);
    end = begin + whole;
    var window = redactions.window(bytes, begin, end);
    long given = Math.max(wanted.offset(), 0);
    return new ProcessOutput(
        new String(window.bytes(), UTF_8),
        state,
        from,
        start + end,
        wanted.offset() < 0 ? 0 : Math.max(0, from - given),
        total,
        last,
        window.count());
  }
}
