package mesh.harness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import mesh.inference.Message;
import mesh.inference.Reply;

/**
 * The messages that a model is shown, kept within its window. Once there is no room, old results
 * are shortened, then old turns left out, down to well below the limit, so that what a model's
 * service has cached stays valid for many turns. The task stays, and a reply never loses the
 * results of its calls. A function of the messages added, in their order.
 *
 * <p>Tokens are estimated from below three characters each, which errs on the safe side for all but
 * the densest texts.
 */
final class ContextWindow {

  private static final int CHARACTERS_PER_TOKEN = 3;
  private static final int PER_MESSAGE = 20;

  /** What is left after room was made, of what there may be. */
  private static final double KEPT = 0.6;

  /** Turns whose results stay whole for as long as it can be. */
  private static final int FRESH = 3;

  private static final int SHORTENED = 1_000;
  private static final int SHORTEST = 200;

  private final long most;
  private final List<Message> task = new ArrayList<>();
  private final Deque<Turn> turns = new ArrayDeque<>();
  private long size;
  private int leftOut;

  /**
   * @param tokens for all messages together
   */
  ContextWindow(long tokens) {
    this.most = tokens;
  }

  /** Adds one turn: messages that stay together. The first is the task. */
  void add(Message... messages) {
    var turn = new Turn(List.of(messages));
    size += turn.size();
    if (task.isEmpty()) {
      task.addAll(turn.messages());
      return;
    }
    turns.add(turn);
    if (size > most) {
      makeRoom();
    }
  }

  List<Message> messages() {
    var all = new ArrayList<>(task);
    if (leftOut > 0) {
      all.add(
          new Message.Asked(
              "[%d earlier turns are left out here to keep within your context. What they changed in the workspace is still so.]"
                  .formatted(leftOut)));
    }
    turns.forEach(turn -> all.addAll(turn.messages()));
    return all;
  }

  private void makeRoom() {
    long aim = (long) (most * KEPT);
    shorten(turns.size() - FRESH, SHORTENED, aim);
    while (size > aim && turns.size() > FRESH) {
      size -= turns.removeFirst().size();
      leftOut++;
    }
    // What is left is fresh: cut only as far as it must be.
    long share = most * CHARACTERS_PER_TOKEN / FRESH;
    for (int most = (int) Math.min(share, Integer.MAX_VALUE); size > this.most; most /= 2) {
      shorten(turns.size(), Math.max(most, SHORTEST), this.most);
      if (most <= SHORTEST) {
        dropUntilItFits();
        return;
      }
    }
  }

  private void dropUntilItFits() {
    while (size > most && turns.size() > 1) {
      size -= turns.removeFirst().size();
      leftOut++;
    }
  }

  /** Oldest first, until the aim is met. */
  private void shorten(int count, int characters, long aim) {
    var kept = new ArrayList<>(turns);
    for (int i = 0; i < Math.min(count, kept.size()) && size > aim; i++) {
      var shorter = kept.get(i).shortened(characters);
      size += shorter.size() - kept.get(i).size();
      kept.set(i, shorter);
    }
    turns.clear();
    turns.addAll(kept);
  }

  private record Turn(List<Message> messages, long size) {

    Turn(List<Message> messages) {
      this(messages, messages.stream().mapToLong(Turn::tokens).sum());
    }

    Turn shortened(int characters) {
      return new Turn(
          messages.stream()
              .map(message ->
                  message instanceof Message.Results(var results)
                      ? new Message.Results(
                          results.stream()
                              .map(it ->
                                  ObservationText.shortened(
                                      it, Math.max(SHORTEST, characters / results.size())))
                              .toList())
                      : message)
              .toList());
    }

    private static long tokens(Message message) {
      long characters =
          switch (message) {
            case Message.Asked(var text) -> text.length();
            case Message.Replied(var reply) -> length(reply);
            case Message.Results(var results) ->
                results.stream().mapToLong(it -> it.text().length() + it.call().length()).sum();
          };
      return characters / CHARACTERS_PER_TOKEN + PER_MESSAGE;
    }

    private static long length(Reply reply) {
      return reply.text().length()
          + reply.kept().toString().length()
          + reply.calls().stream()
              .mapToLong(
                  it -> it.id().length() + it.tool().length() + it.arguments().toString().length())
              .sum();
    }
  }
}
