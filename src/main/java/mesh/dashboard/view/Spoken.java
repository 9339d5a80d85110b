package mesh.dashboard.view;

import java.time.Duration;
import java.util.Locale;

/** Numbers with their units, as short as stays exact enough. */
public final class Spoken {

  private Spoken() {}

  /** Such as "84 ms", "3.2 s", "2 min 5 s" or "4 h 12 min". */
  public static String duration(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", Math.floor(millis / 100.0) / 10);
    }
    if (duration.toHours() < 1) {
      return pair(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
    }
    if (duration.toDays() < 1) {
      return pair(duration.toHours(), "h", duration.toMinutesPart(), "min");
    }
    return pair(duration.toDays(), "d", duration.toHoursPart(), "h");
  }

  /** Compute seconds; a dash for none, since most runs that use none never had a workspace. */
  public static String compute(double seconds) {
    return seconds <= 0 ? "–" : duration(Duration.ofMillis(Math.round(seconds * 1000)));
  }

  public static String bytes(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    String[] units = {"KiB", "MiB", "GiB", "TiB"};
    double amount = bytes / 1024.0;
    int unit = 0;
    while (amount >= 1024 && unit < units.length - 1) {
      amount /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, amount < 10 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
  }

  public static String count(long number, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
  }

  private static String pair(long big, String bigUnit, int small, String smallUnit) {
    return big + " " + bigUnit + (small == 0 ? "" : " " + small + " " + smallUnit);
  }
}
