package mesh.execution.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import mesh.execution.Command;

/**
 * The six lines that the command script reads before it starts anything.
 *
 * <p>Arguments travel here and not in the URL, where they would be in the vendor's logs and long
 * ones would be refused by proxies.
 *
 * @param token begins a report; known to the script alone
 * @param mark in the environment of all processes of the command; not a secret
 * @param limit in blocks, a file size limit that all of them carry: about a pebibyte, so that it
 *     limits nothing, but a different number for each command. Unlike the environment it survives
 *     {@code env -i} and {@code sudo}.
 */
record Input(String token, String mark, String limit) {

  private static final long LEAST = 1L << 40;

  static Input random(RandomGenerator random) {
    return new Input(hex(random), hex(random), Long.toString(LEAST + random.nextLong(LEAST)));
  }

  static String hex(RandomGenerator random) {
    var bytes = new byte[16];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /**
   * @param length how many bytes of input follow
   */
  byte[] header(Command command, long length, Dialect dialect) {
    var deadline = dialect.margin().map(margin -> deadline(command, margin)).orElse("-");
    var input = dialect.endsInput() && length > 0 ? "-" : Long.toString(length);
    var words = Stream.concat(Stream.of(command.directory().value()), command.argv().stream());
    var line = words.map(Input::quoted).collect(joining(" "));
    var lines = List.of(token, mark, limit, deadline, input, line);
    return (String.join("\n", lines) + "\n").getBytes(UTF_8);
  }

  private static String deadline(Command command, Duration margin) {
    // Up to whole seconds: not every {@code sleep} knows fractions.
    return Long.toString(command.timeout().plus(margin).plusNanos(999_999_999).toSeconds());
  }

  /** One word for the shell's {@code eval}, on one line: {@code $n} is a line feed there. */
  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''").replace("\n", "'\"$n\"'") + "'";
  }

  /** Without the token. */
  @Override
  public String toString() {
    return "Input[" + mark + "]";
  }
}
