package mesh.inference;

import java.util.ArrayList;
import java.util.List;
import mesh.inference.Reply.Call;
import mesh.inference.Reply.Stop;
import org.jspecify.annotations.Nullable;

/** A reply while it comes in, and the rules by which both protocols' ends are read. */
final class Draft {

  /** In characters, over all texts of a reply. */
  static final int LARGEST = 8 << 20;

  /** More than any model makes; what a service sends beyond is nonsense. */
  static final int MOST_CALLS = 256;

  /** A call as it came. */
  static final class Piece {
    String id = "";
    String tool = "";
    final StringBuilder arguments = new StringBuilder();
  }

  private final Troubles troubles;
  private int size;

  Draft(Troubles troubles) {
    this.troubles = troubles;
  }

  void append(StringBuilder to, String text) throws Trouble {
    size += text.length();
    if (size > LARGEST) {
      throw troubles.garbled("Its reply was longer than any reply is.");
    }
    to.append(text);
  }

  /** The calls as Mesh knows them. What a limit cut off is no call. */
  static List<Call> calls(List<Piece> pieces, boolean cut, Names tools, CallIds ids) {
    var calls = new ArrayList<Call>();
    for (int i = 0; i < pieces.size(); i++) {
      var piece = pieces.get(i);
      var arguments = piece.arguments.toString();
      boolean last = i == pieces.size() - 1;
      if (cut && last && (arguments.isBlank() || !Arguments.areJson(arguments))) {
        continue;
      }
      calls.add(
          new Call(
              ids.next(piece.id),
              WellFormed.text(tools.inward(piece.tool)),
              Arguments.of(arguments)));
    }
    return calls;
  }

  /** Of a reply that was not refused: services differ in what they call an end with calls. */
  static Stop stop(boolean cut, List<Call> calls) {
    if (cut) {
      return Stop.LENGTH;
    }
    return calls.isEmpty() ? Stop.DONE : Stop.CALLS;
  }

  /** What a refusal says, never empty. */
  static String refusal(String text, @Nullable String reason) {
    if (!text.isBlank()) {
      return text;
    }
    return reason == null || reason.isBlank()
        ? "The model's service refused to answer this."
        : reason;
  }
}
