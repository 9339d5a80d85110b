package mesh.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import mesh.dashboard.view.RunHead;
import mesh.dashboard.view.StepView;
import mesh.run.Run;
import mesh.run.RunFeed;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Sends an open run page what changed, rendered by the same templates as the page itself, so that
 * escaping stays in one place. The browser comes back by itself after the connection ends.
 */
@Controller
class RunLive {

  private static final int STREAMS = 256;
  private static final int BATCH = 50;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /** After this the browser connects anew, and is asked anew who it is. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /** How long an ended run is watched for the release of its workspace. */
  private static final Duration LINGER = Duration.ofSeconds(30);

  private final Runs runs;
  private final Steps steps;
  private final RunFeed feed;
  private final RunViews views;
  private final WorkspaceFacts workspaces;
  private final Fragments fragments;

  private final Semaphore streams = new Semaphore(STREAMS);
  private volatile boolean closing;

  RunLive(
      Runs runs,
      Steps steps,
      RunFeed feed,
      RunViews views,
      WorkspaceFacts workspaces,
      Fragments fragments) {
    this.runs = runs;
    this.steps = steps;
    this.feed = feed;
    this.views = views;
    this.workspaces = workspaces;
    this.fragments = fragments;
  }

  /** A server that stops does not wait for readers. */
  @EventListener
  void onClose(ContextClosedEvent event) {
    closing = true;
  }

  @GetMapping(
      path = "/runs/{id:" + RunPageController.ID + "}/live",
      produces = MediaType.TEXT_EVENT_STREAM_VALUE)
  SseEmitter live(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "0") int after,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable Integer last) {
    RunId run = new RunId(id);
    if (runs.find(run).isEmpty()) {
      throw Problem.notFound("run_unknown", "There is no run " + id + ".");
    }
    if (!streams.tryAcquire()) {
      throw Problem.of(503, "too_many_readers", "Too many pages follow runs right now.");
    }
    SseEmitter emitter = new SseEmitter(LONGEST.plusMinutes(1).toMillis());
    Thread.ofVirtual()
        .name("run-live")
        .start(() -> new Stream(run, emitter, last == null ? after : last).send());
    return emitter;
  }

  /** The last step up to which nothing can change any more. */
  static int settled(int after, List<Step> steps) {
    int settled = after;
    for (Step step : steps) {
      if (step.finishedAt() == null) {
        break;
      }
      settled = step.seq();
    }
    return settled;
  }

  /** One connection, on a thread of its own. */
  private final class Stream {

    private final RunId id;
    private final SseEmitter emitter;
    private final Map<Integer, String> sent = new HashMap<>();
    private final long deadline = System.nanoTime() + LONGEST.toNanos();
    private int settled;
    private String headSent = "";
    private boolean endSent;
    private long patience;

    Stream(RunId id, SseEmitter emitter, int settled) {
      this.id = id;
      this.emitter = emitter;
      this.settled = settled;
    }

    void send() {
      try (RunFeed.Watch watch = feed.watch(id)) {
        while (!closing && System.nanoTime() < deadline) {
          if (!round()) {
            break;
          }
          watch.await(LOOK_AGAIN);
          // Finds out early that the reader has gone, and keeps proxies from cutting the line.
          emitter.send(SseEmitter.event().comment(""));
        }
        emitter.complete();
      } catch (IOException | IllegalStateException gone) {
        emitter.complete();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        emitter.complete();
      } catch (RuntimeException broken) {
        emitter.completeWithError(broken);
      } finally {
        streams.release();
      }
    }

    /** Sends what is new; false once all of an ended run was sent. */
    private boolean round() throws IOException {
      Run run = runs.find(id).orElseThrow();
      int from = settled;
      boolean open = false;
      List<Step> batch;
      do {
        batch = steps.list(id, from, BATCH);
        for (Step step : batch) {
          step(run, step);
          from = step.seq();
          open |= step.finishedAt() == null;
          settled = open ? settled : from;
        }
      } while (batch.size() == BATCH);
      sent.keySet().removeIf(seq -> seq <= settled);
      head(run);
      if (!run.hasEnded()) {
        return true;
      }
      if (!endSent) {
        endSent = true;
        patience = System.nanoTime() + LINGER.toNanos();
        emitter.send(SseEmitter.event().name("end").data(RunWords.badge(run.status()).word()));
      }
      if (System.nanoTime() < patience && !workspaces.settled(run)) {
        return true;
      }
      emitter.send(SseEmitter.event().name("close").data(""));
      return false;
    }

    private void step(Run run, Step step) throws IOException {
      StepView view = fragments.view(run, step);
      if (!view.version().equals(sent.put(step.seq(), view.version()))) {
        emitter.send(
            SseEmitter.event()
                .name("step")
                .id(Integer.toString(settled))
                .data(fragments.step(view)));
      }
    }

    private void head(Run run) throws IOException {
      RunHead head = fragments.head(views, run);
      if (!head.version().equals(headSent)) {
        headSent = head.version();
        emitter.send(SseEmitter.event().name("head").data(fragments.head(head)));
      }
    }
  }
}
