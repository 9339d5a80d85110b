package mesh.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import mesh.dashboard.view.RunHead;
import mesh.dashboard.view.StepView;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * What one open page of a run is sent: whatever changed, rendered by the same templates as the page
 * itself, so that escaping stays in one place. Used by one thread.
 *
 * <p>Events: {@code step} and {@code head} carry HTML; {@code end} says that the run has ended;
 * {@code close} that nothing more follows. An event's id is the last step up to which nothing can
 * change any more: a browser that connects anew goes on from there.
 */
final class RunStream {

  private static final int BATCH = 50;

  /** How long an ended run is watched for its last answers and the release of its workspace. */
  private static final Duration LINGER = Duration.ofSeconds(30);

  /** Where the news come from. */
  @Component
  record Sources(Runs runs, Steps steps, WorkspaceFacts workspaces, Fragments fragments) {}

  private final Sources sources;
  private final RunId id;
  private final SseEmitter emitter;
  private final Map<Integer, String> sent = new HashMap<>();
  private int settled;
  private boolean open;
  private String headSent = "";
  private boolean endSent;
  private long patience;

  RunStream(Sources sources, RunId id, SseEmitter emitter, int settled) {
    this.sources = sources;
    this.id = id;
    this.emitter = emitter;
    this.settled = settled;
  }

  /** Sends what is new; false once nothing more can follow. */
  boolean sendNews() throws IOException {
    Run run = sources.runs().find(id).orElseThrow();
    steps(run);
    head(run);
    if (!run.hasEnded()) {
      return true;
    }
    if (!endSent) {
      endSent = true;
      patience = System.nanoTime() + LINGER.toNanos();
      emitter.send(SseEmitter.event().name("end").data(RunWords.badge(run.status()).word()));
    }
    if (System.nanoTime() < patience && (open || !sources.workspaces().settled(run))) {
      return true;
    }
    emitter.send(SseEmitter.event().name("close").data(""));
    return false;
  }

  private void steps(Run run) throws IOException {
    int from = settled;
    open = false;
    List<Step> batch;
    do {
      batch = sources.steps().list(id, from, BATCH);
      for (Step step : batch) {
        step(run, step);
        from = step.seq();
        open |= step.finishedAt() == null;
        settled = open ? settled : from;
      }
    } while (batch.size() == BATCH);
    sent.keySet().removeIf(seq -> seq <= settled);
  }

  private void step(Run run, Step step) throws IOException {
    StepView view = sources.fragments().view(run, step);
    if (!view.version().equals(sent.put(step.seq(), view.version()))) {
      emitter.send(
          SseEmitter.event()
              .name("step")
              .id(Integer.toString(settled))
              .data(sources.fragments().html(view)));
    }
  }

  private void head(Run run) throws IOException {
    RunHead head = sources.fragments().view(run);
    if (!head.version().equals(headSent)) {
      headSent = head.version();
      emitter.send(SseEmitter.event().name("head").data(sources.fragments().html(head)));
    }
  }
}
