package mesh.dashboard.view;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * A moment as people say it and exactly.
 *
 * @param spoken relative to the page's own time, such as "3 min ago"; a date from a week on
 * @param exact with date, seconds and zone
 * @param machine RFC 3339
 */
public record When(String spoken, String exact, String machine) {

  private static final DateTimeFormatter EXACT =
      DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm:ss 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  public static When of(Instant at, Instant now) {
    return new When(
        spoken(at, now), EXACT.format(at), at.truncatedTo(ChronoUnit.MILLIS).toString());
  }

  private static String spoken(Instant at, Instant now) {
    Duration ago = Duration.between(at, now);
    if (ago.compareTo(Duration.ofSeconds(5)) < 0) {
      return "just now";
    }
    if (ago.toMinutes() < 1) {
      return ago.toSeconds() + " s ago";
    }
    if (ago.toHours() < 1) {
      return ago.toMinutes() + " min ago";
    }
    if (ago.toDays() < 1) {
      return ago.toHours() + " h ago";
    }
    return switch ((int) Math.min(ago.toDays(), 7)) {
      case 1 -> "yesterday";
      case 7 -> DATE.format(at);
      default -> ago.toDays() + " days ago";
    };
  }
}
