package mesh.simulator.sprites;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as the vendor's language writes them: {@code 10s}, {@code 1m30s}, {@code 250ms}. */
final class GoDuration {

  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|h|m|s)");
  private static final Pattern WHOLE = Pattern.compile("0|(?:" + PART.pattern() + ")+");

  private GoDuration() {}

  static Optional<Duration> parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    var millis =
        PART.matcher(text)
            .results()
            .mapToDouble(part -> Double.parseDouble(part.group(1)) * millisPer(part.group(2)))
            .sum();
    return Optional.of(Duration.ofMillis((long) millis));
  }

  private static double millisPer(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000;
      case "m" -> 60_000;
      case "s" -> 1_000;
      default -> 1;
    };
  }
}
