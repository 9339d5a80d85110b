package mesh.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Ends the process, as {@code kill -9} does, at the point and the hit that a file orders; the file
 * may come and change while the process runs. Loaded into servers by {@link Halting} alone.
 */
public final class HaltAt implements FaultPoint.Listener {

  /** The property that names the file: a {@link FaultPoint} and the number of a hit. */
  static final String ORDERS = "mesh.fault.orders";

  private static final int KILLED = 137;

  private final Path orders = Path.of(System.getProperty(ORDERS));
  private final Map<String, Integer> hits = new HashMap<>();

  @Override
  public void reached(FaultPoint point) {
    if (!Files.exists(orders)) {
      return;
    }
    try {
      var order = Files.readString(orders);
      if (order.startsWith(point.name() + " ") && hit(order)) {
        Files.writeString(reached(orders), point.name());
        Runtime.getRuntime().halt(KILLED);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized boolean hit(String order) {
    int wanted = Integer.parseInt(order.substring(order.indexOf(' ') + 1).strip());
    return hits.merge(order, 1, Integer::sum) == wanted;
  }

  /** Where it is written down that the process ended as ordered. */
  static Path reached(Path orders) {
    return orders.resolveSibling(orders.getFileName() + ".reached");
  }
}
