package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import mesh.execution.BackendException;
import org.jspecify.annotations.Nullable;

/**
 * Takes the report out of one output stream and passes on every other byte, however the stream was
 * cut into pieces. What follows the report is from children in the background.
 *
 * <p>A report is a byte {@code 036}, the token, a space, words and a line feed. The token reached
 * the script as input alone, so no command can name it.
 */
final class ReportFilter {

  /** What the command script says at the end of each of its output streams. */
  sealed interface Report {}

  /**
   * @param status as a shell has it, 0 to 255
   */
  record Ended(int status, int stillRunning) implements Report {}

  record NoDirectory() implements Report {}

  /** It was ended in the sandbox, at a deadline that Mesh let pass. */
  record Overdue() implements Report {}

  private static final byte START = 036;

  private final byte[] opening;
  private final Consumer<ByteBuffer> rest;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int matched;
  private @Nullable Report report;

  ReportFilter(String token, Consumer<ByteBuffer> rest) {
    this.opening = ((char) START + token + " ").getBytes(US_ASCII);
    this.rest = rest;
  }

  Optional<Report> report() {
    return Optional.ofNullable(report);
  }

  void accept(byte[] piece) {
    int plain = 0;
    for (int at = 0; at < piece.length && report == null; at++) {
      if (matched == opening.length) {
        plain = at + 1;
        readLine(piece[at]);
      } else if (piece[at] == opening[matched]) {
        if (matched == 0) {
          pass(piece, plain, at);
        }
        matched++;
        plain = at + 1;
      } else if (matched > 0) {
        flush();
        plain = at;
        // No byte of the opening but the first is START, so nothing shorter can have matched.
        at--;
      }
    }
    pass(piece, plain, piece.length);
  }

  /** Passes on what looked like the beginning of a report and did not go on to be one. */
  void flush() {
    if (matched < opening.length) {
      pass(opening, 0, matched);
      matched = 0;
    }
  }

  private void readLine(byte next) {
    if (next == '\n') {
      report = parsed(line.toString(US_ASCII));
    } else {
      line.write(next);
    }
  }

  private static Report parsed(String line) {
    var words = line.split(" ", -1);
    if (words.length == 3 && words[0].equals("exit")) {
      return new Ended(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    }
    if (line.equals("nodirectory")) {
      return new NoDirectory();
    }
    if (line.equals("late")) {
      return new Overdue();
    }
    throw new BackendException.Unexpected(
        "a sandbox reported a command's end in unknown words", null);
  }

  private void pass(byte[] bytes, int from, int to) {
    if (to > from) {
      rest.accept(ByteBuffer.wrap(bytes, from, to - from).slice().asReadOnlyBuffer());
    }
  }
}
