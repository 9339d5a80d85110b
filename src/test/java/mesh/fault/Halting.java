package mesh.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;

/** Has one server end at a point. Production code knows nothing of it: its class path is longer. */
final class Halting {

  private final Path folder;
  private final Path orders;

  /**
   * @param folder empty; for this server alone
   */
  Halting(Path folder) {
    this.folder = folder;
    this.orders = folder.resolve("orders");
    try {
      var name = HaltAt.class.getName().replace('.', '/') + ".class";
      var copy = classes().resolve(name);
      Files.createDirectories(copy.getParent());
      try (var original = HaltAt.class.getClassLoader().getResourceAsStream(name)) {
        Files.copy(java.util.Objects.requireNonNull(original), copy);
      }
      var services = classes().resolve("META-INF/services");
      Files.createDirectories(services);
      Files.writeString(
          services.resolve(FaultPoint.Listener.class.getName()), HaltAt.class.getName());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  List<Path> classPath() {
    return List.of(classes());
  }

  String option() {
    return "-D" + HaltAt.ORDERS + "=" + orders;
  }

  /** From now on; the first hit counts as 1. */
  void at(FaultPoint point, int hit) {
    try {
      var order = folder.resolve("order");
      Files.writeString(order, point.name() + " " + hit);
      Files.move(order, orders, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where it ended; empty if it did not end at a point. */
  Optional<FaultPoint> reached() {
    try {
      var reached = HaltAt.reached(orders);
      return Files.exists(reached)
          ? Optional.of(FaultPoint.valueOf(Files.readString(reached)))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
