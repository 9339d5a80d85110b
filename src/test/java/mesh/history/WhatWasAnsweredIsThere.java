package mesh.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.history.Event.Called;
import mesh.history.Event.What;

/**
 * Beyond the plan's ten: what a client was told has happened is in the database in the end, whoever
 * was killed meanwhile. A lost answer tells nothing.
 */
final class WhatWasAnsweredIsThere implements Invariant {

  @Override
  public String name() {
    return "kept";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var ledger = history.ledger();
    var violations = new ArrayList<Violation>();
    var executed = new java.util.HashMap<UUID, List<Called>>();
    history
        .all(Called.class)
        .filter(Called::succeeded)
        .forEach(call -> {
          if (call.what() == What.EXECUTED) {
            executed.computeIfAbsent(call.subject(), _ -> new ArrayList<>()).add(call);
          } else if (!isThere(call, ledger)) {
            violations.add(
                new Violation(name(), "answered, and not in the database", List.of(call)));
          }
        });
    Map<UUID, Integer> finished =
        ledger.runs().stream()
            .collect(Collectors.toMap(Ledger.RunRow::id, Ledger.RunRow::finishedCalls));
    executed.forEach((run, calls) -> {
      int recorded = finished.getOrDefault(run, 0);
      if (recorded < calls.size()) {
        violations.add(
            new Violation(
                name(),
                "run %s was answered %d results and has %d".formatted(run, calls.size(), recorded),
                calls));
      }
    });
    return violations;
  }

  private static boolean isThere(Called call, Ledger ledger) {
    return switch (call.what()) {
      case RUN_STARTED -> ledger.run(call.subject()).isPresent();
      case RUN_ENDED -> ledger.run(call.subject()).map(run -> run.endedAt() != null).orElse(false);
      case EXECUTED -> true;
      case CREDENTIAL_SET, FORBIDDEN, PERMITTED ->
          ledger.permissions().stream()
              .anyMatch(row ->
                  row.agent().equals(call.subject())
                      && row.provider().equals(call.provider())
                      && row.revision() >= call.revision());
    };
  }
}
