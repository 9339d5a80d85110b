package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** How many processes the kernel has killed because memory ran out, since it booted. */
final class KernelKills implements LongSupplier {

  private static final Path COUNTERS = Path.of("/proc/vmstat");
  private static final String NAME = "oom_kill ";

  /** Always 0 where the kernel does not count, so that it never grows. */
  @Override
  public long getAsLong() {
    try (var lines = Files.lines(COUNTERS)) {
      return lines
          .filter(line -> line.startsWith(NAME))
          .findFirst()
          .map(line -> Long.parseLong(line.substring(NAME.length()).strip()))
          .orElse(0L);
    } catch (IOException | NumberFormatException _) {
      return 0;
    }
  }
}
