package mesh.history;

import java.util.List;

/**
 * One sandbox from its making to its end at the vendor. A name may have more than one, if a create
 * took effect after all when an earlier one was gone.
 *
 * @param created null-free: the event of its making
 * @param span to its destruction, or the end of the history
 * @param awake when it counted as running
 */
record Life(Event.Created created, Span span, List<Span> awake, List<Command> commands) {

  Life {
    awake = List.copyOf(awake);
    commands = List.copyOf(commands);
  }

  String sandbox() {
    return created.sandbox();
  }

  /** One command in it. */
  record Command(Event.Began began, Span span) {}
}
