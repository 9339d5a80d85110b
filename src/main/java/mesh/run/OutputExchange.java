package mesh.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import mesh.database.Instances;
import mesh.database.Notifications;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Brings what calls print to the instance on which their run is watched. An instance that is
 * watched asks twice a second, says how much it has, and the one that makes the call answers with
 * what comes after: nothing is sent of what nobody looks at.
 */
@Component
class OutputExchange implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(OutputExchange.class);
  private static final String ASKED = "mesh_run_output_asked";
  private static final String ANSWERED = "mesh_run_output";

  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(500);

  /** Longer than a watcher waits between two looks. */
  private static final long STILL_WATCHED = TimeUnit.SECONDS.toNanos(6);

  /** A notification holds 8,000 bytes, and JSON may need six for a character. */
  private static final int PIECE = 1_200;

  private final Notifications notifications;
  private final Instances instances;
  private final RunFeed feed;
  private final JsonMapper json;
  private final Map<RunId, Watched> watched = new ConcurrentHashMap<>();
  private final Map<Asked, Boolean> asked = new ConcurrentHashMap<>();
  private volatile Function<RunId, Map<Integer, RunOutput.Tail>> here = _ -> Map.of();
  private volatile boolean running;
  private volatile Thread sender = Thread.ofVirtual().unstarted(() -> {});

  /** What is known of a run that calls elsewhere. */
  private static final class Watched {
    private final Map<Integer, OutputTail> tails = new ConcurrentHashMap<>();
    private volatile long looked = System.nanoTime();

    Map<Integer, Long> ends() {
      var ends = new HashMap<Integer, Long>();
      tails.forEach((step, it) -> ends.put(step, it.tail().end()));
      return ends;
    }
  }

  /**
   * @param ends how much of each step the asking instance has
   */
  record Asked(UUID run, Map<Integer, Long> ends) {}

  record Answered(UUID run, int step, long at, String text) {}

  OutputExchange(Notifications notifications, Instances instances, RunFeed feed, JsonMapper json) {
    this.notifications = notifications;
    this.instances = instances;
    this.feed = feed;
    this.json = json;
    notifications.listen(ASKED, this::asked);
    notifications.listen(ANSWERED, this::answered);
  }

  /** Takes where to find what this instance's own calls have printed. */
  void answers(Function<RunId, Map<Integer, RunOutput.Tail>> own) {
    here = own;
  }

  /** What is known of a call elsewhere; the more so the longer it is asked for. */
  RunOutput.@Nullable Tail of(RunId run, int step) {
    if (!running || instances.isAlone()) {
      return null;
    }
    var known = watched.computeIfAbsent(run, _ -> new Watched());
    known.looked = System.nanoTime();
    LockSupport.unpark(sender);
    var tail = known.tails.get(step);
    return tail == null ? null : tail.tail();
  }

  private void asked(String text) {
    var question = json.readValue(text, Asked.class);
    if (!here.apply(new RunId(question.run())).isEmpty()) {
      asked.put(question, true);
      LockSupport.unpark(sender);
    }
  }

  private void answered(String text) {
    var answer = json.readValue(text, Answered.class);
    var run = new RunId(answer.run());
    var known = watched.get(run);
    if (known != null) {
      known
          .tails
          .computeIfAbsent(answer.step(), _ -> new OutputTail())
          .put(answer.at(), answer.text());
      feed.wake(run);
    }
  }

  @Override
  public void start() {
    running = true;
    sender = Thread.ofVirtual().name("run-output").start(this::sendUntilStopped);
  }

  @Override
  public void stop() {
    running = false;
    LockSupport.unpark(sender);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void sendUntilStopped() {
    long askedAt = System.nanoTime() - PERIOD;
    while (running) {
      try {
        answer();
        if (System.nanoTime() - askedAt >= PERIOD) {
          askedAt = System.nanoTime();
          ask();
        }
      } catch (RuntimeException e) {
        // The next question comes in half a second.
        log.atDebug().setCause(e).log("output not exchanged");
      }
      if (!asked.isEmpty()) {
        continue;
      }
      if (watched.isEmpty()) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, PERIOD);
      }
    }
  }

  private void ask() {
    long now = System.nanoTime();
    watched.values().removeIf(it -> now - it.looked > STILL_WATCHED);
    var questions = new ArrayList<String>();
    watched.forEach((run, known) ->
        questions.add(json.writeValueAsString(new Asked(run.value(), known.ends()))));
    if (!questions.isEmpty()) {
      notifications.send(ASKED, questions);
    }
  }

  private void answer() {
    var questions = List.copyOf(asked.keySet());
    var answers = new ArrayList<String>();
    for (var question : questions) {
      asked.remove(question);
      here.apply(new RunId(question.run()))
          .forEach((step, tail) ->
              pieces(question, step, tail.after(question.ends().getOrDefault(step, 0L)), answers));
    }
    if (!answers.isEmpty()) {
      notifications.send(ANSWERED, answers);
    }
  }

  private void pieces(Asked question, int step, RunOutput.Tail news, List<String> answers) {
    var text = news.text();
    int end;
    for (int at = 0; at < text.length(); at = end) {
      end = Math.min(text.length(), at + PIECE);
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
        end--;
      }
      answers.add(
          json.writeValueAsString(
              new Answered(question.run(), step, news.from() + at, text.substring(at, end))));
    }
  }
}
