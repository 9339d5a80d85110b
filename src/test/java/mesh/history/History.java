package mesh.history;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All that happened until it was quiet, in the order of time.
 *
 * @param living the sandboxes that the vendor has in the end
 * @param end when that was looked up
 */
public record History(List<Event> events, Ledger ledger, Set<String> living, Instant end) {

  public History {
    events = events.stream().sorted(Comparator.comparing(Event::at)).toList();
    living = Set.copyOf(living);
  }

  <E extends Event> Stream<E> all(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }
}
