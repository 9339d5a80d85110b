package mesh.execution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints, after all tests, which promise of {@link BackendContract} each adapter kept. A dash
 * stands for a promise about something the adapter cannot do; a promise that one adapter was not
 * asked for is named as missing, and {@code .ci/run} fails then.
 */
public final class ContractTable implements TestExecutionListener {

  private enum Result {
    KEPT("yes"),
    NOT_CONCERNED("-"),
    BROKEN("NO");

    private final String word;

    Result(String word) {
      this.word = word;
    }
  }

  private static final Path FILE = Path.of("target", "contract-table.txt");

  /** By promise and adapter; of a parameterized one the worst. */
  private final Map<String, Map<String, Result>> results = new TreeMap<>();

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    note(test, Result.NOT_CONCERNED);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      note(
          test,
          switch (result.getStatus()) {
            case SUCCESSFUL -> Result.KEPT;
            case ABORTED -> Result.NOT_CONCERNED;
            case FAILED -> Result.BROKEN;
          });
    }
  }

  private void note(TestIdentifier test, Result result) {
    var id = test.getUniqueIdObject();
    segment(id, "class")
        .filter(ContractTable::isContract)
        .ifPresent(suite ->
            promise(id)
                .ifPresent(promise ->
                    results
                        .computeIfAbsent(promise, _ -> new TreeMap<>())
                        .merge(adapter(suite), result, ContractTable::worse)));
  }

  private static Result worse(Result one, Result other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static boolean isContract(String suite) {
    try {
      return BackendContract.class.isAssignableFrom(Class.forName(suite));
    } catch (ClassNotFoundException | LinkageError unknown) {
      return false;
    }
  }

  private static String adapter(String suite) {
    return suite.substring(suite.lastIndexOf('.') + 1).replaceFirst("(Backend)?Test$", "");
  }

  private static Optional<String> promise(UniqueId id) {
    var method = segment(id, "method").or(() -> segment(id, "test-template"));
    return segment(id, "nested-class")
        .flatMap(group -> method.map(it -> group + "." + it.replaceFirst("\\(.*", "")));
  }

  private static Optional<String> segment(UniqueId id, String type) {
    return id.getSegments().stream()
        .filter(it -> it.getType().equals(type))
        .map(UniqueId.Segment::getValue)
        .findFirst();
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (results.isEmpty()) {
      return;
    }
    SortedSet<String> adapters =
        results.values().stream()
            .flatMap(it -> it.keySet().stream())
            .collect(Collectors.toCollection(TreeSet::new));
    var table = new StringBuilder("What each adapter promises, and keeps\n");
    table.append(
        row("", adapters.stream().collect(Collectors.toMap(it -> it, it -> it)), adapters));
    results.forEach((promise, kept) ->
        table.append(
            row(
                promise,
                kept.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().word)),
                adapters)));
    System.out.print(table);
    try {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, table);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String row(String name, Map<String, String> cells, SortedSet<String> adapters) {
    return "%-80s".formatted(name)
        + adapters.stream()
            .map(adapter -> " %-12s".formatted(cells.getOrDefault(adapter, "missing")))
            .collect(Collectors.joining())
            .stripTrailing()
        + "\n";
  }
}
