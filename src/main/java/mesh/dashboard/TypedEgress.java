package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import mesh.settings.EgressChange;
import mesh.settings.EgressSetting;
import org.jspecify.annotations.Nullable;

/**
 * The form about workspace network access, as somebody typed it.
 *
 * @param domains with all their lines
 */
record TypedEgress(@Nullable String chosen, String domains, @Nullable String otherwise) {

  static TypedEgress of(EgressSetting setting) {
    return new TypedEgress(
        word(setting.mode()), String.join("\n", setting.domains()), word(setting.uncontrolled()));
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  String mode() {
    return chosen == null ? "" : chosen;
  }

  String uncontrolled() {
    return otherwise == null ? "" : otherwise;
  }

  /** Without blank lines, which people leave between groups. */
  private List<Line> lines() {
    var lines = domains.lines().map(String::strip).toList();
    return IntStream.range(0, lines.size())
        .filter(at -> !lines.get(at).isEmpty())
        .mapToObj(at -> new Line(at + 1, lines.get(at)))
        .toList();
  }

  EgressChange change() {
    List<@Nullable String> entries = new ArrayList<>();
    lines().forEach(line -> entries.add(line.text()));
    return new EgressChange(chosen, entries, otherwise);
  }

  /**
   * The number of a line as people count them.
   *
   * @param entry from 0, among the lines that are not blank
   */
  int lineOf(int entry) {
    return lines().get(entry).number();
  }

  private record Line(int number, String text) {}
}
