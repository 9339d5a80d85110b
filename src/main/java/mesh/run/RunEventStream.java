package mesh.run;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * A run's events as server-sent events: {@code step} for each step that began or finished, {@code
 * output} while a call prints (see {@link OutputJson}), {@code run} when the run's status changed,
 * and at the end {@code end}. Event ids are step numbers, so a client that reconnects goes on where
 * it was.
 */
@Component
class RunEventStream {

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final int LOOKS_PER_COMMENT = 7;

  private final Runs runs;
  private final Steps steps;
  private final RunFeed feed;
  private final RunWorkspaces workspaces;
  private final RunOutput outputs;
  private final JsonMapper json;

  RunEventStream(
      Runs runs,
      Steps steps,
      RunFeed feed,
      RunWorkspaces workspaces,
      RunOutput outputs,
      JsonMapper json) {
    this.runs = runs;
    this.steps = steps;
    this.feed = feed;
    this.workspaces = workspaces;
    this.outputs = outputs;
    this.json = json;
  }

  /** Writes until the run has ended or the client has gone, which shows as an IOException. */
  void write(RunId run, int after, OutputStream out) throws IOException, InterruptedException {
    var changes = new RunChanges(runs, steps, run, after);
    var printed = new HashMap<Integer, Long>();
    var lastRun = "";
    int quiet = 0;
    try (var watch = feed.watch(run)) {
      while (true) {
        var changed = changes.next();
        for (var step : changed.steps()) {
          send(out, "step", String.valueOf(step.seq()), json.writeValueAsString(StepJson.of(step)));
        }
        for (var output : printed(run, changes.unfinished(), printed)) {
          send(out, "output", "", json.writeValueAsString(output));
        }
        var status = changed.run().status().word();
        if (!status.equals(lastRun)) {
          lastRun = status;
          send(out, "run", "", json.writeValueAsString(answer(changed.run())));
        }
        if (changed.last()) {
          send(out, "end", "", "{}");
          return;
        }
        quiet = changed.steps().isEmpty() ? quiet + 1 : 0;
        if (quiet % LOOKS_PER_COMMENT == LOOKS_PER_COMMENT - 1) {
          // Shows a dead client, and keeps proxies from closing a silent connection.
          out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
        watch.await(LOOK_AGAIN);
      }
    }
  }

  /**
   * What came since the last look.
   *
   * @param seen how much of each step was sent
   */
  private List<OutputJson> printed(RunId run, Set<Integer> unfinished, Map<Integer, Long> seen) {
    var news = new ArrayList<OutputJson>();
    seen.keySet().retainAll(unfinished);
    for (int step : unfinished) {
      var tail = outputs.of(run, step).map(it -> it.after(seen.getOrDefault(step, 0L)));
      if (tail.isPresent() && !tail.get().text().isEmpty()) {
        seen.put(step, tail.get().end());
        news.add(new OutputJson(step, tail.get().from(), tail.get().text()));
      }
    }
    return news;
  }

  /**
   * A piece of what a call prints while it runs, both channels as they came, redacted.
   *
   * @param at how many characters come before it; more than were sent if the reader was slow, and
   *     then those between are only in the step's result
   */
  record OutputJson(int seq, long at, String text) {}

  private RunJson answer(Run run) {
    return RunJson.of(run, workspaces.of(List.of(run.id())).get(run.id()));
  }

  private static void send(OutputStream out, String event, String id, String data)
      throws IOException {
    var text =
        "event: "
            + event
            + "\n"
            + (id.isEmpty() ? "" : "id: " + id + "\n")
            + "data: "
            + data
            + "\n\n";
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
