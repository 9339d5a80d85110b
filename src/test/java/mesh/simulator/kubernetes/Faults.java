package mesh.simulator.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The faults switched on at a simulator. Thread-safe; the first that matches a call strikes. */
public final class Faults {

  private static final class Rule {
    private final CallKind kind;
    private final Fault fault;
    private final double probability;
    private final Random random;
    private long left;
    private long spared;

    private Rule(CallKind kind, Fault fault, double probability, Random random, long left) {
      this.kind = kind;
      this.fault = fault;
      this.probability = probability;
      this.random = random;
      this.left = left;
    }

    private boolean strikes(CallKind call) {
      if (!call.equals(kind) || left == 0 || random.nextDouble() >= probability) {
        return false;
      }
      if (spared > 0) {
        spared--;
        return false;
      }
      left--;
      return true;
    }
  }

  private final List<Rule> rules = new ArrayList<>();

  Faults() {}

  /** Strikes the next {@code count} calls of this kind. */
  public synchronized void next(int count, CallKind kind, Fault fault) {
    rules.add(new Rule(kind, fault, 1, new Random(0), count));
  }

  /** Strikes the next call of this kind. */
  public void next(CallKind kind, Fault fault) {
    next(1, kind, fault);
  }

  /** Spares the next {@code count} calls of this kind and strikes the one after them. */
  public synchronized void after(int count, CallKind kind, Fault fault) {
    var rule = new Rule(kind, fault, 1, new Random(0), 1);
    rule.spared = count;
    rules.add(rule);
  }

  /** Strikes every call of this kind until {@link #clear}. */
  public synchronized void always(CallKind kind, Fault fault) {
    rules.add(new Rule(kind, fault, 1, new Random(0), Long.MAX_VALUE));
  }

  /**
   * Strikes calls of this kind by chance; the same seed and order of calls strike the same ones.
   *
   * @param probability from 0 to 1
   */
  public synchronized void randomly(long seed, double probability, CallKind kind, Fault fault) {
    rules.add(new Rule(kind, fault, probability, new Random(seed), Long.MAX_VALUE));
  }

  public synchronized void clear() {
    rules.clear();
  }

  synchronized Optional<Fault> strike(CallKind kind) {
    return rules.stream().filter(rule -> rule.strikes(kind)).findFirst().map(rule -> rule.fault);
  }
}
