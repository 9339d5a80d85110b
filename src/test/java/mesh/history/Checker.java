package mesh.history;

import java.util.List;

/** Says which promises a history breaks. */
public final class Checker {

  private final List<Invariant> invariants;

  private Checker(List<Invariant> invariants) {
    this.invariants = List.copyOf(invariants);
  }

  /** All invariants. */
  public static Checker with(Promises promises) {
    return new Checker(
        List.of(
            new RowBeforeSandbox(),
            new OneSandboxPerRun(),
            new NothingLeftOver(),
            new NothingRunsOn(promises),
            new NoLateCredential(promises),
            new NothingOutdatedWakes(),
            new ReleasedStays(),
            new EveryEndIsDone(),
            new ChargedEnough(promises),
            new EveryChangeIsAudited(),
            new WhatWasAnsweredIsThere()));
  }

  /** Empty if every promise was kept. */
  public List<Violation> violations(History history) {
    var timeline = Timeline.of(history);
    return invariants.stream()
        .flatMap(invariant -> invariant.in(history, timeline).stream())
        .toList();
  }
}
