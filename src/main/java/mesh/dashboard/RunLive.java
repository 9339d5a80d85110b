package mesh.dashboard;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import mesh.run.RunFeed;
import mesh.run.RunId;
import mesh.run.Step;
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

/** Keeps open pages of runs up to date; what they are sent is {@link RunStream}'s matter. */
@Controller
class RunLive {

  private static final int STREAMS = 256;
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /** After this the browser connects anew, and is asked anew who it is. */
  private static final Duration LONGEST = Duration.ofMinutes(10);

  private final RunStream.Sources sources;
  private final RunFeed feed;

  private final Semaphore streams = new Semaphore(STREAMS);
  private volatile boolean closing;

  RunLive(RunStream.Sources sources, RunFeed feed) {
    this.sources = sources;
    this.feed = feed;
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
    if (sources.runs().find(run).isEmpty()) {
      throw Problem.notFound("run_unknown", "There is no run " + id + ".");
    }
    if (!streams.tryAcquire()) {
      throw Problem.of(503, "too_many_readers", "Too many pages follow runs right now.");
    }
    SseEmitter emitter = new SseEmitter(LONGEST.plusMinutes(1).toMillis());
    RunStream stream = new RunStream(sources, run, emitter, last == null ? after : last);
    Thread.ofVirtual().name("run-live").start(() -> follow(run, emitter, stream));
    return emitter;
  }

  private void follow(RunId run, SseEmitter emitter, RunStream stream) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    try (RunFeed.Watch watch = feed.watch(run)) {
      while (!closing && System.nanoTime() < deadline && stream.sendNews()) {
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
}
