package mesh.simulator.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A message's header fields; names are compared without case. */
public final class Headers {

  private final Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  void add(String name, String value) {
    fields.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
  }

  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  public List<String> all(String name) {
    return List.copyOf(fields.getOrDefault(name, List.of()));
  }

  /** Whether the comma-separated field lists {@code token}, without case. */
  public boolean lists(String name, String token) {
    return elements(name).stream()
        .anyMatch(element -> element.toLowerCase(Locale.ROOT).equals(token));
  }

  /** The elements of a comma-separated field, in order. */
  public List<String> elements(String name) {
    return all(name).stream()
        .flatMap(value -> List.of(value.split(",")).stream())
        .map(String::strip)
        .filter(element -> !element.isEmpty())
        .toList();
  }
}
