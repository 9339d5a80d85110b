package mesh.history;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the lives of sandboxes from what the vendor said. */
final class Lives {

  private final Instant end;
  private final Map<String, Open> open = new HashMap<>();
  private final List<Life> lives = new ArrayList<>();

  private Lives(Instant end) {
    this.end = end;
  }

  static List<Life> in(History history) {
    var lives = new Lives(history.end());
    history.events().forEach(lives::take);
    List.copyOf(lives.open.values()).forEach(life -> lives.lives.add(life.closed(history.end())));
    return List.copyOf(lives.lives);
  }

  private void take(Event event) {
    switch (event) {
      case Event.Created created -> open.put(created.sandbox(), new Open(created));
      case Event.Woke(var at, var sandbox) -> of(sandbox).woke = at;
      case Event.Slept(var at, var sandbox) -> of(sandbox).sleep(at);
      case Event.Began began -> of(began.sandbox()).running.put(began.command(), began);
      case Event.Ended(var at, var sandbox, var command) -> of(sandbox).end(command, at);
      case Event.Destroyed(var at, var sandbox) -> {
        lives.add(of(sandbox).closed(at));
        open.remove(sandbox);
      }
      default -> {
        // Nothing that the vendor sees.
      }
    }
  }

  /** A frame of a dead sandbox that comes late concerns nothing any more. */
  private Open of(String sandbox) {
    var known = open.get(sandbox);
    return known == null ? new Open(new Event.Created(end, sandbox, true)) : known;
  }

  private static final class Open {
    private final Event.Created created;
    private final List<Span> awake = new ArrayList<>();
    private final List<Life.Command> commands = new ArrayList<>();
    private final Map<String, Event.Began> running = new HashMap<>();
    private @Nullable Instant woke;

    private Open(Event.Created created) {
      this.created = created;
    }

    private void sleep(Instant at) {
      if (woke != null) {
        awake.add(new Span(woke, at));
        woke = null;
      }
      List.copyOf(running.keySet()).forEach(command -> end(command, at));
    }

    private void end(String command, Instant at) {
      var began = running.remove(command);
      if (began != null) {
        commands.add(new Life.Command(began, new Span(began.at(), at)));
      }
    }

    private Life closed(Instant at) {
      sleep(at);
      return new Life(created, new Span(created.at(), at), awake, commands);
    }
  }
}
