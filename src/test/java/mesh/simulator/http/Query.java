package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The decoded query of a URL, in order; {@code +} and {@code %20} are both a space. */
public final class Query {

  private record Parameter(String name, String value) {}

  private final List<Parameter> parameters = new ArrayList<>();

  /**
   * @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits
   */
  public Query(String raw) {
    for (var part : raw.split("&", -1)) {
      if (!part.isEmpty()) {
        var equals = part.indexOf('=');
        var name = equals < 0 ? part : part.substring(0, equals);
        var value = equals < 0 ? "" : part.substring(equals + 1);
        parameters.add(
            new Parameter(URLDecoder.decode(name, UTF_8), URLDecoder.decode(value, UTF_8)));
      }
    }
  }

  public List<String> all(String name) {
    return parameters.stream()
        .filter(parameter -> parameter.name().equals(name))
        .map(Parameter::value)
        .toList();
  }

  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  /** Whether the parameter is there and says {@code true} or {@code 1}. */
  public boolean flag(String name) {
    return first(name).filter(value -> value.equals("true") || value.equals("1")).isPresent();
  }

  public Set<String> names() {
    var names = new TreeSet<String>();
    parameters.forEach(parameter -> names.add(parameter.name()));
    return names;
  }
}
